"""In place of ``systemd-run``, on a machine without systemd: it does to a command what the options on its line say.

As root it gives the command a user of its own, who may read what root may, since this Python may be in root's home.
"""

import json
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

UID = 61184
"""As systemd gives to a service with ``DynamicUser``."""
FLAGS = ("--quiet", "--pty", "--pipe", "--wait", "--collect")


def main(arguments: list[str]) -> None:
    root, properties, environment = Path(os.environ["ROOT"]), [], {}
    while arguments[0].startswith("-"):
        match arguments.pop(0):
            case flag if flag in FLAGS:
                pass
            case "-p":
                properties.append(arguments.pop(0))
            case "-E":
                name, _, value = arguments.pop(0).partition("=")
                environment[name] = value.replace("/var/lib/towow", f"{root}/var/lib/towow")
            case other:
                sys.exit(f"systemd-run: unknown option {other}")
    Path(root / "properties.json").write_text(json.dumps(properties))
    said = dict(each.partition("=")[::2] for each in properties if not each.startswith("LoadCredential="))
    credentials = Path(tempfile.mkdtemp(dir=root))
    for each in properties:
        if each.startswith("LoadCredential="):
            name, _, source = each.removeprefix("LoadCredential=").partition(":")
            shutil.copy(f"{root}{source}", credentials / name)
    further = Path(f"{root}{said['EnvironmentFile'].removeprefix('-')}")
    if further.exists():
        environment |= dict(line.partition("=")[::2] for line in shlex.split(further.read_text(), comments=True))
    kept = ("PATH", "ROOT", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    environment |= {name: os.environ[name] for name in kept if name in os.environ}
    os.chdir(f"{root}{said['WorkingDirectory']}")
    os.umask(int(said["UMask"], 8))
    state = root / "var/lib" / said["StateDirectory"]
    state.chmod(int(said.get("StateDirectoryMode", "0755"), 8))
    command = [each.replace("/opt/towow/bin/towow", f"{root}/opt/towow/bin/towow") for each in arguments]
    if os.geteuid() == 0:
        for made in (state, *state.rglob("*"), credentials, *credentials.iterdir()):
            os.chown(made, UID, UID)
        able = ("--inh-caps=+dac_override", "--ambient-caps=+dac_override")
        command = ["setpriv", f"--reuid={UID}", f"--regid={UID}", "--clear-groups", *able, *command]
    os.execvpe(command[0], command, environment | {"CREDENTIALS_DIRECTORY": str(credentials)})  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])
