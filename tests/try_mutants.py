"""Tries every mutant that mutmut has made: `python tests/try_mutants.py` where the folder `mutants` is (`make mutate`).

mutmut begins pytest anew for each mutant, which takes a second; the tests that reach a mutant take some hundredths. Here
the tests are loaded once, and a fork of this process runs those of one mutant, the quickest first, until one fails.
What was found before is not tried again. Results go where mutmut keeps its own, so `mutmut results` shows them.
"""

import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

SURVIVED, KILLED, NO_TESTS, TIMED_OUT = 0, 1, 33, 36  # as mutmut counts them
CPU_S, WALL_S = 10, 60  # many times what the tests of a mutant take: beyond it, the change never ends
NAMES = {SURVIVED: "survived", KILLED: "killed", NO_TESTS: "without a test", TIMED_OUT: "over time"}


def function_of(mutant: str) -> str:
    """The function that a mutant is of, as the statistics name it."""
    return mutant.rpartition("__mutmut_")[0]


class TryMutants:
    """A pytest plugin: in place of the tests, all mutants."""

    def __init__(self, folder: Path) -> None:
        found = json.loads((folder / "mutmut-stats.json").read_text())
        self.tests, self.took = found["tests_by_mangled_function_name"], found["duration_by_test"]
        self.folder = folder
        self.checks = "--no-check" not in sys.argv

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        broken = [test for test, item in items.items() if self.try_one("", [item]) != SURVIVED] if self.checks else []
        if broken:
            raise pytest.UsageError(f"these fail without any mutant, so they say nothing: {', '.join(broken)}")
        for file in sorted(self.folder.rglob("*.meta")):
            known = json.loads(file.read_text())
            codes = known["exit_code_by_key"]
            for mutant in [name for name, code in codes.items() if code is None]:
                tests = sorted(self.tests.get(function_of(mutant), ()), key=lambda test: self.took[test])
                chosen = [items[test] for test in tests if test in items]
                codes[mutant] = self.try_one(mutant, chosen) if chosen else NO_TESTS
                file.with_suffix(".new").write_text(json.dumps(known))
                file.with_suffix(".new").replace(file)
            summed = Counter(NAMES.get(code, "killed") for code in codes.values())
            line = file.name.removesuffix(".meta"), len(codes), dict(sorted(summed.items()))
            print(*line, flush=True)  # noqa: T201
        return True

    def try_one(self, mutant: str, items: list[pytest.Item]) -> int:
        child = os.fork()
        if child == 0:
            self.run_and_exit(mutant, items)
        until = time.monotonic() + WALL_S
        while time.monotonic() < until:
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                return code if code in (SURVIVED, KILLED) else TIMED_OUT if code == -signal.SIGXCPU else KILLED
            time.sleep(0.002)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return TIMED_OUT

    @staticmethod
    def run_and_exit(mutant: str, items: list[pytest.Item]) -> Any:
        """Run these tests with the mutant in place, and end this process: 0 if all of them pass."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
        os.environ["MUTANT_UNDER_TEST"] = mutant
        failed: list[str] = []

        class Heard:
            @staticmethod
            def pytest_runtest_logreport(report: pytest.TestReport) -> None:
                if report.failed:
                    failed.append(report.nodeid)

        try:
            items[0].config.pluginmanager.register(Heard())
            for number, item in enumerate(items):
                following = items[number + 1] if number + 1 < len(items) else None
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                if failed:
                    break
        except BaseException:
            os._exit(KILLED)
        os._exit(KILLED if failed else SURVIVED)


def main() -> int:
    """Load the tests of `[tool.mutmut]`, then try all mutants."""
    import tomllib  # noqa: PLC0415 (what is loaded before the folder is entered is not what is tested)

    os.chdir("mutants")
    sys.path[:0] = [str(Path("src").resolve()), str(Path("tests").resolve())]
    os.environ["MUTANT_UNDER_TEST"] = ""
    settings = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["mutmut"]
    chosen = [*settings["pytest_add_cli_args"], *settings["pytest_add_cli_args_test_selection"]]
    return int(pytest.main(["-q", "-p", "no:cacheprovider", *chosen], plugins=[TryMutants(Path.cwd())]))


if __name__ == "__main__":
    sys.exit(main())
