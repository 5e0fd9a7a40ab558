"""Where somebody lets an app into a workspace, and sees which have it: plain pages of forms, without scripts."""

from __future__ import annotations

import hmac
from html import escape
from urllib.parse import urlencode, urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from .installation import Place
from .local_api.page import show_file
from .slack_itself import SlackItself
from .workspace import Workspace

POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'"
SHELL = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    <link rel="icon" type="image/svg+xml" href="/mark.svg" />
    <link rel="stylesheet" href="/style/tokens.css" />
    <link rel="stylesheet" href="/style/oauth.css" />
  </head>
  <body>
    <main>
      <h1>{title}</h1>
{body}
    </main>
  </body>
</html>
"""


def oauth_routes(slack: SlackItself, authorize: str, token: str) -> list[web.RouteDef]:
    """
    Args:
        authorize: the path where an app is let in.
        token: what each form takes, made anew at each start.
    """

    async def overview(_: web.Request) -> web.Response:
        return _page("Workspaces on this machine", _overview(slack, token))

    async def ask(request: web.Request) -> web.Response:
        wrong = _wrong(slack, request)
        return _page("This app cannot be let in", f"<p>{wrong}</p>", 400) if wrong else _question(slack, request, token)

    async def decide(request: web.Request) -> web.StreamResponse:
        said = await request.post()
        if wrong := _wrong(slack, request):
            return _page("This app cannot be let in", f"<p>{wrong}</p>", 400)
        back, state, chosen = request.query["redirect_uri"], request.query.get("state", ""), str(said.get("place", ""))
        if not chosen or "deny" in said:
            raise web.HTTPFound(_with(back, error="access_denied", state=state))
        place, user = _chosen(slack, chosen)
        raise web.HTTPFound(_with(back, code=slack.grants.issue_code(place, user, back), state=state))

    async def remove(request: web.Request) -> web.StreamResponse:
        said = await request.post()
        for each in slack.workspaces:
            grant = slack.grants.of(each.team)
            if grant is not None and each.team.id == said.get("team"):
                slack.remove(grant)
        raise web.HTTPFound("/")

    async def expire(_: web.Request) -> web.StreamResponse:
        slack.grants.expire()
        raise web.HTTPFound("/")

    return [
        web.get("/", overview),
        web.get(authorize, ask),
        web.post(authorize, _held(decide, token)),
        web.post("/apps/remove", _held(remove, token)),
        web.post("/apps/expire", _held(expire, token)),
        web.get(r"/{file:mark\.svg|style/[a-z]+\.css}", show_file),
    ]


def _held(handler: Handler, token: str) -> Handler:
    """Only a form of ours changes anything."""

    async def handle(request: web.Request) -> web.StreamResponse:
        given = str((await request.post()).get("token", ""))
        if not hmac.compare_digest(given.encode("utf-8", "surrogateescape"), token.encode()):
            raise web.HTTPForbidden(text="This form is of an earlier start; load its page again.")
        return await handler(request)

    return handle


def _wrong(slack: SlackItself, request: web.Request) -> str:
    """Why the app cannot ask; empty where it can."""
    asked, registered = request.query, slack.registration
    if asked.get("client_id") != registered.client_id:
        return "No app has this client id (<code>invalid_client_id</code>)."
    back = asked.get("redirect_uri", "")
    if not any(back.startswith(each) for each in registered.redirect_uris):
        return "The app has not registered where this leads (<code>bad_redirect_uri</code>)."
    if strange := set(asked.get("scope", "").split(",")) - set(registered.app.scopes):
        return f"There is no scope {escape(', '.join(sorted(strange)))} (<code>invalid_scope</code>)."
    return "" if slack.workspaces else "There is no workspace yet."


def _question(slack: SlackItself, request: web.Request, token: str) -> web.Response:
    asked, app = request.query, slack.registration.app
    places = "".join(_choice(value, text, asked.get("team", "")) for value, text in _places(slack))
    scopes = "".join(f"<li><code>{escape(each)}</code></li>" for each in asked.get("scope", "").split(","))
    body = f"""
      <form method="post">
        <input type="hidden" name="token" value="{token}" />
        <fieldset><legend>Where is {escape(app.name)} to be?</legend>{places}</fieldset>
        <details><summary>What it may do</summary><ul>{scopes}</ul></details>
        <p class="acts"><button name="allow" value="1">Allow</button>
        <button class="quiet" name="deny" value="1" formnovalidate>Cancel</button></p>
      </form>"""
    return _page(f"{app.name} wants to be installed", body)


def _places(slack: SlackItself) -> list[tuple[str, str]]:
    places = [(each.team.id, each.team.name) for each in slack.workspaces]
    whole = {
        each.team.enterprise_id: f"All of {each.team.enterprise_name or each.team.enterprise_id}"
        for each in slack.workspaces
        if each.team.enterprise_id
    }
    return [*places, *whole.items()]


def _choice(value: str, text: str, preferred: str) -> str:
    checked = " checked" if value == preferred else ""
    shown = escape(text)
    return f'<label><input type="radio" name="place" required value="{escape(value)}"{checked} /> {shown}</label>'


def _chosen(slack: SlackItself, value: str) -> tuple[Place, str]:
    """Where it is to be installed, and by whom: an admin of there, or else whoever is first."""
    for each in slack.workspaces:
        if value in (each.team.id, each.team.enterprise_id):
            people = sorted((user for user in each.users if not user.is_bot), key=lambda user: not user.is_admin)
            team_id = each.team.id if value == each.team.id else None
            return Place(each.team.enterprise_id, team_id), people[0].id
    raise web.HTTPBadRequest(text="There is no such workspace.")


def _overview(slack: SlackItself, token: str) -> str:
    rows = "".join(_row(slack, each, token) for each in slack.workspaces)
    return f"""
      <ul class="workspaces">{rows}</ul>
      <form method="post" action="/apps/expire">
        <input type="hidden" name="token" value="{token}" />
        <button class="quiet">Let all tokens expire</button>
      </form>"""


def _row(slack: SlackItself, workspace: Workspace, token: str) -> str:
    team, app = workspace.team, escape(slack.registration.app.name)
    grant = slack.grants.of(team)
    if grant is None:
        return f'<li><a href="{workspace.url}">{escape(team.name)}</a> <span>{app} is not installed.</span></li>'
    where = "by its organisation" if grant.place.team_id is None else "here"
    return f"""<li><a href="{workspace.url}">{escape(team.name)}</a> <span>{app} is installed {where}.</span>
      <form method="post" action="/apps/remove">
        <input type="hidden" name="token" value="{token}" /><input type="hidden" name="team" value="{team.id}" />
        <button class="quiet">Remove app</button>
      </form></li>"""


def _with(address: str, **said: str) -> str:
    return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(said)}"


def _page(title: str, body: str, status: int = 200) -> web.Response:
    return web.Response(
        status=status,
        text=SHELL.format(title=escape(title), body=body),
        content_type="text/html",
        headers={
            "Content-Security-Policy": POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",  # else a form of ours would say that it comes from nowhere
            "Cache-Control": "no-store",
        },
    )
