"""Check commands of the registry: each runs where the work was done, in the same bounds as a worker."""

from dataclasses import replace

from engine.workers.port import CheckResult
from engine.workers.process import Launch, ProcessTrouble, started
from engine.workers.registry import Registry, check_environment

LONGEST_DETAIL = 500
LONGEST_RUN = 600.0
"""Seconds."""


async def run_check(name: str, registry: Registry, launch: Launch) -> CheckResult:
    """Run one by its name. One that the registry does not have has not passed.

    Args:
        launch: of the work; its directory, its bounds and its sandbox hold for the check as well.
    """
    command = registry.checks.get(name)
    if command is None:
        return CheckResult(name=name, has_passed=False, detail="The registry has no such check.")
    bounds = replace(
        launch,
        command=command,
        environment=check_environment(launch.directory),
        stderr=None,
        total=min(LONGEST_RUN, launch.total),
        silence=min(LONGEST_RUN, launch.total),
    )
    try:
        async with started(bounds) as process:
            await process.write(b"", close=True)
            printed = [line async for line in process.lines()]
            code = await process.ended()
            told = b"\n".join(printed[-20:]).decode("utf-8", "replace").strip() or process.stderr.strip()
    except ProcessTrouble as trouble:
        return CheckResult(name=name, has_passed=False, detail=str(trouble))
    return CheckResult(name=name, has_passed=code == 0, detail=told[-LONGEST_DETAIL:])
