"""Tries every mutant that mutmut has made: `python tests/try_mutants.py` where the folder `mutants` is (`make mutate`).

mutmut begins pytest anew for each mutant, which takes a second; the tests that reach a mutant take some hundredths. Here
the tests are loaded once, and forks of this process run those of one mutant each, the quickest first, until one fails.
What was found before is not tried again. Results go where mutmut keeps its own, so `mutmut results` shows them.
A word after the command (`heads.py`) tries the mutants of such files only.
"""

import json
import os
import resource
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NoReturn

import pytest

SURVIVED, KILLED, NO_TESTS, TIMED_OUT = 0, 1, 33, 36  # as mutmut counts them
NAMES = {SURVIVED: "survived", NO_TESTS: "without a test", TIMED_OUT: "over time", None: "not tried"}
CPU_S, WALL_S = 10, 120  # many times what the tests of a mutant take: beyond it, the change never ends
AT_ONCE = os.cpu_count() or 1


class TryMutants:
    """A pytest plugin: in place of the tests, all mutants of some files."""

    def __init__(self, folder: Path, words: list[str]) -> None:
        found = json.loads((folder / "mutmut-stats.json").read_text())
        self.tests, self.took = found["tests_by_mangled_function_name"], found["duration_by_test"]
        self.files = [file for file in sorted(folder.rglob("*.py.meta")) if not words or file.stem in words]
        self.running: dict[int, tuple[str, float]] = {}  # process -> mutant, and until when it may run

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        """An example that fails is enough: a smaller one is not looked for."""
        from hypothesis import Phase, settings  # noqa: PLC0415 (pytest is to load it)

        quick = settings(settings.default, phases=(Phase.explicit, Phase.generate), database=None)
        settings.register_profile("mutants", quick)
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        clean = self.results({test: [item] for test, item in items.items()}, without_mutant=True)
        broken = [test for test, code in clean if code != SURVIVED]
        if broken:
            raise pytest.UsageError(f"these fail without any mutant, so they say nothing: {', '.join(broken)}")
        for file in self.files:
            known = json.loads(file.read_text())
            codes = known["exit_code_by_key"]
            waiting: dict[str, list[pytest.Item]] = {}
            for mutant in [name for name, code in codes.items() if code is None]:
                reached = sorted(
                    self.tests.get(mutant.rpartition("__mutmut_")[0], ()), key=lambda test: self.took[test]
                )
                waiting[mutant] = [items[test] for test in reached if test in items]
            for mutant, code in self.results(waiting):
                codes[mutant] = code
                file.with_suffix(".new").write_text(json.dumps(known))
                file.with_suffix(".new").replace(file)
            summed = Counter(NAMES.get(code, "killed") for code in codes.values())
            print(file.stem, len(codes), dict(sorted(summed.items())), flush=True)  # noqa: T201
        return True

    def results(self, waiting: dict[str, list[pytest.Item]], *, without_mutant: bool = False) -> Any:
        """What came of each, as soon as it is known."""
        for name, items in waiting.items():
            if not items:
                yield name, NO_TESTS
                continue
            while len(self.running) >= AT_ONCE:
                yield from self.ended()
            child = os.fork()
            if child == 0:
                run_and_exit("" if without_mutant else name, items)
            self.running[child] = name, time.monotonic() + WALL_S
        while self.running:
            yield from self.ended()

    def ended(self) -> list[tuple[str, int]]:
        """Wait until something has ended, or has to."""
        found = []
        for child, (name, until) in list(self.running.items()):
            pid, status = os.waitpid(child, os.WNOHANG)
            if not pid and time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                pid, status = os.waitpid(child, 0)
            if pid:
                del self.running[child]
                code = os.waitstatus_to_exitcode(status)
                is_late = code in (-signal.SIGXCPU, -signal.SIGKILL)
                found.append((name, TIMED_OUT if is_late else SURVIVED if code == SURVIVED else KILLED))
        if not found:
            time.sleep(0.002)
        return found


def run_and_exit(mutant: str, items: list[pytest.Item]) -> NoReturn:
    """Run these tests with the mutant in place, and end this process: 0 if all of them pass."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_S, CPU_S + 1))
    os.environ["MUTANT_UNDER_TEST"] = mutant
    failed: list[str] = []

    class Heard:
        @staticmethod
        def pytest_runtest_logreport(report: pytest.TestReport) -> None:
            if report.failed:
                failed.append(report.nodeid)

    try:
        items[0].config.pluginmanager.unregister(name="terminalreporter")
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
    import tomllib  # noqa: PLC0415 (new in Python 3.11)

    os.chdir("mutants")
    sys.path[:0] = [str(Path("src").resolve()), str(Path("tests").resolve())]
    os.environ["MUTANT_UNDER_TEST"] = ""
    chosen = tomllib.loads(Path("pyproject.toml").read_text())["tool"]["mutmut"]
    tests = [*chosen["pytest_add_cli_args"], *chosen["pytest_add_cli_args_test_selection"]]
    quiet = ["-p", "no:cacheprovider", "--tb=native"]
    return int(pytest.main([*quiet, *tests], plugins=[TryMutants(Path.cwd(), sys.argv[1:])]))


if __name__ == "__main__":
    sys.exit(main())
