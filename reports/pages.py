"""The HTML pages: one Jinja environment, everything escaped, nothing fetched."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from reports.words import clock


def render(template: str, values: Mapping[str, Any], script: str | None = None) -> str:
    """Fill a template of `reports/templates`.

    `script` names a template that holds a script without tags; it goes into the page with its hash, the only script that the
    page's content security policy lets run.
    """
    env = Environment(loader=PackageLoader("reports"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.filters["clock"] = clock
    env.globals["css"] = lambda name: Markup(_source(env, name))
    code = _source(env, script) if script else ""
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    return env.get_template(template).render(**values, script=Markup(code), script_hash=f"sha256-{digest}")


def _source(env: Environment, name: str) -> str:
    assert env.loader is not None
    return env.loader.get_source(env, name)[0]
