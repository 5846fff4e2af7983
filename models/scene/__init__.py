"""A synthetic match: players, hands, cameras and a renderer that gives pictures together with their truth.

The renderer's parts:

``models.scene.looks``
    ``Style``: everything about the look of one board, its pieces, lamps and arms (frozen dataclass).
``models.scene.style``
    ``sample_style(rng) -> Style`` draws one; ``tournament_style(rng)`` draws a well kept tournament board.
``models.scene.camera``
    ``Camera``: a pinhole camera with radial distortion and its picture's faults (``Fault``).
    ``sample_camera(rng, size=(width, height), board=ICF, max_tilt=25.0) -> Camera``; ``overhead(size, board=ICF)`` looks straight down.
    ``Camera.corners(board=ICF) -> (4, 2)``: pixels of the playing surface's corners, upper left first, clockwise.
    ``Camera.project(mm, z=0.0) -> (n, 2)``: picture pixels of points in board millimetres.
``models.scene.hand``
    ``HandPose(tip, direction, seat="south", grip="flick", extension=0.0, left=False, vx=0.0, vy=0.0, holding=None)``:
    ``tip`` is where the index fingertip stands when stretched out (mm), ``direction`` where the fingers point (radians, x right,
    y down), ``grip`` one of ``flick`` (finger drawn back for ``extension`` 0, stretched for 1), ``pinch`` (thumb and fingers
    hold a disc under ``tip``) or ``flat``; ``holding`` a ``DrawnDisc`` that the hand carries (drawn under the fingers).
``models.scene.render``
    ``DrawnDisc(cls, x, y, vx=0.0, vy=0.0, radius=None, turn=0.0)``: a disc at mid-exposure (mm, mm/s, radians);
    ``radius`` None takes the board's, the striker's times the style's own size.
    ``Renderer(style, camera, board=ICF, seed=0)``: draws everything that stands still once; then
    ``.frame(discs, hands=(), exposure_s=1/120, rng=None) -> uint8 (height, width, 3) BGR`` is cheap;
    ``.compose(discs, hands, exposure_s, rng) -> (picture, Truth)`` adds the boxes of what is seen.

Lengths are board millimetres: origin at the upper left corner of the playing surface, x right, y down; heights z above it.
"""
