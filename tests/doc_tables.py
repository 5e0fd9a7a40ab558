"""The tables and diagrams of the docs that are made from the code.

``python -m tests.doc_tables`` writes them anew, each between its comments: ``<!-- table: name -->`` and
``<!-- end of table -->``, or the same with ``diagram``.
"""

import ast
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from bot.api.document import PATH as DOCUMENT
from bot.api.problems import TITLES
from bot.api.routes import OPEN, routes_of
from bot.config import DEFAULT_POLICY, VARIABLES
from bot.registry import PROTOCOLS
from engine.deliberation.rules import STEPS as DELIBERATION_STEPS
from engine.delivery.policy import Policy as Scheduling
from engine.delivery.rules import STEPS as DELIVERY_STEPS
from engine.delivery.rules import TICKET_STEPS
from engine.errors import REFUSALS, ModelTimeout, ModelUnavailable
from engine.negotiation.policy import PRESETS, Policy, Share
from engine.negotiation.rules import STEPS

ROOT: Final = Path(__file__).parents[1]
BLOCK: Final = re.compile(r"(<!-- (?:table|diagram): (\w+) -->\n)(.*?)(<!-- end of (?:table|diagram) -->)", re.S)


def table(*rows: Iterable[str]) -> str:
    """A table in Markdown; the first row is its head."""
    head, *others = [list(row) for row in rows]
    lines = [head, ["---"] * len(head), *others]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def diagram(drawn: str) -> str:
    return f"```mermaid\n{drawn}\n```\n"


def policies() -> str:
    rows = [
        (_called(each), str(each.max_rounds), _accepts(each.finalize_at), _failing(each), _forcing(each))
        for each in PRESETS.values()
    ]
    return table(("policy", "rounds", "finalized at", "fails in any round at", "in the last round"), *rows)


def variables() -> str:
    rows = [(f"`{each.name}`", each.purpose, each.default, f"`{each.example}`") for each in VARIABLES]
    return table(("variable", "for", "when left out", "example"), *rows)


def routes() -> str:
    """Every call by the scope that it takes; the OpenAPI document says what each does."""
    calls = [("–", "GET", DOCUMENT), *(("–", each.method, each.path) for each in OPEN)]
    calls += [(f"`{each.scope}`", each.method, each.path) for each in routes_of(PROTOCOLS)]
    by_scope: dict[str, list[str]] = {}
    for scope, method, path in calls:
        of_any = re.sub(r"/actions/[a-z_.]+$", "/actions/{action}", path)  # a row of its protocol's actions each
        by_scope.setdefault(scope, []).append(f"`{method} {of_any}`")
    return table(("scope", "calls"), *((scope, "<br>".join(dict.fromkeys(by_scope[scope]))) for scope in by_scope))


def errors() -> str:
    refusals = (*REFUSALS.values(), *(each for protocol in PROTOCOLS for each in protocol.rulebook.refusals))
    statuses = {each.code: str(each.http_status) for each in refusals}
    statuses |= {each.code: str(each.http_status) for each in (ModelUnavailable, ModelTimeout)} | {"E009": "500"}
    rows = [(f"`{code}`", statuses.get(code, "200, in the demand"), title) for code, title in TITLES.items()]
    return table(("`error_code`", "status", "meaning"), *rows)


def contracts() -> str:
    """What `lint-imports` holds."""
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    return "".join(f"- {each['name']}.\n" for each in tools["importlinter"]["contracts"])


def _called(policy: Policy) -> str:
    return f"`{policy.name}`" + (" (default)" if policy.name == DEFAULT_POLICY else "")


def _accepts(percent: int) -> str:
    return "all accept" if percent == 100 else f"{percent}% accept"


def _failing(policy: Policy) -> str:
    if policy.fail_below is not None:
        return f"less than {policy.fail_below}% accept"
    if policy.by_needs:
        return "something essential is lost for good"
    if policy.fail_on_rejections is not None:
        return f"{_share(policy.fail_on_rejections)} reject or withdraw"
    return "never by rate"


def _forcing(policy: Policy) -> str:
    if policy.force_at is None:
        return "force-finalized"
    if policy.by_needs:
        known = "force-finalized, unless a core seat refuses, or all who cover something essential"
        return f"{known}; where no need is known, it takes {_share(policy.force_at)} of accepts"
    return f"{_share(policy.force_at)} accept: force-finalized; else it fails"


def _share(share: Share) -> str:
    return f"more than {share.percent}%" if share.more else f"{share.percent}% or more"


def scheduling() -> str:
    """What scheduler_config.json can say, as the fields' docstrings in engine/delivery/policy.py tell it."""
    said = docstrings("engine/delivery/policy.py", "Policy")
    rows = [(f"`{name}`", f"{field.default}", said[name]) for name, field in Scheduling.model_fields.items()]
    return table(("field", "when left out", "what it says"), *rows)


def docstrings(path: str, name: str) -> dict[str, str]:
    """What stands below each field of a class, in one line; empty where nothing does."""
    module = ast.parse((ROOT / path).read_text("utf-8"))
    row = next(node for node in module.body if isinstance(node, ast.ClassDef) and node.name == name)
    found: dict[str, str] = {}
    for node in row.body:
        match node:
            case ast.AnnAssign(target=ast.Name(id=last)):
                found[last] = ""
            case ast.Expr(value=ast.Constant(value=str(said))) if found:
                found[last] = " ".join(said.split()).removesuffix(".").replace("``", "`")
            case _:
                pass
    return found


MADE: Final[Mapping[str, tuple[str, Callable[[], str]]]] = {
    "negotiation": ("docs/negotiation.md", lambda: diagram(STEPS.diagram())),
    "deliberation": ("engine/deliberation/README.md", lambda: diagram(DELIBERATION_STEPS.diagram())),
    "delivery": ("engine/delivery/README.md", lambda: diagram(DELIVERY_STEPS.diagram())),
    "tickets": ("engine/delivery/README.md", lambda: diagram(TICKET_STEPS.diagram())),
    "scheduling": ("docs/delivery.md", scheduling),
    "configuration": ("docs/configuration.md", variables),
    "policies": ("docs/negotiation.md", policies),
    "routes": ("docs/http-api.md", routes),
    "errors": ("docs/http-api.md", errors),
    "contracts": ("docs/architecture.md", contracts),
}
"""By name: the page, and what makes it."""


def written(page: str) -> str:
    """The page with everything in it that is made from the code."""
    text = (ROOT / page).read_text("utf-8")
    mine = {name: make for name, (where, make) in MADE.items() if where == page}

    def anew(block: re.Match[str]) -> str:
        make = mine.get(block[2])
        return f"{block[1]}{make() if make else block[3]}{block[4]}"

    return BLOCK.sub(anew, text)


if __name__ == "__main__":
    for page in {page for page, _ in MADE.values()}:
        (ROOT / page).write_text(written(page), "utf-8")
