"""Video to detections in board millimetres."""
