// How many tests passed and failed, by what the test runners of other languages print.

/** Lines of a suite of Ginkgo, which is one test of Go. */
/** What terminals show in colours. */
const COLOURS = /\x1b\[[0-9;]*m/g;
const GINKGO = /^(?:SUCCESS|FAIL)! -- (\d+) Passed \| (\d+) Failed/;

/** By the events of `go test -json`. Of a test that is a suite of Ginkgo, its specifications are counted. */
export function goCounts(output) {
  const counts = { passed: 0, failed: 0 };
  const suites = new Set();
  const failing = new Set();
  const fail = (package_, count) => {
    counts.failed += count;
    if (count > 0) failing.add(package_);
  };
  for (const line of output.split('\n')) {
    if (!line.startsWith('{')) continue;
    const { Action: action, Package: package_, Test: test, Output: text = '' } = JSON.parse(line);
    const [, passed, failed] = GINKGO.exec(text.replace(COLOURS, '')) ?? [];
    if (passed !== undefined) {
      suites.add(`${package_} ${test}`);
      counts.passed += Number(passed);
      fail(package_, Number(failed));
    }
    // A package that does not compile, or that ends early, has no test that failed.
    if (test === undefined) fail(package_, action === 'fail' && !failing.has(package_) ? 1 : 0);
    else if (!test.includes('/') && !suites.has(`${package_} ${test}`)) {
      if (action === 'pass') counts.passed += 1;
      if (action === 'fail') fail(package_, 1);
    }
  }
  return counts;
}

/** By the summary of Maven's Surefire, the last of its kind; nothing passed where there is none. */
export function mavenCounts(output) {
  const plain = output.replace(COLOURS, '');
  const found = [...plain.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/g)].at(
    -1,
  );
  if (found === undefined) return { passed: 0, failed: 1 };
  const [run, failures, errors, skipped] = found.slice(1).map(Number);
  return { passed: run - failures - errors - skipped, failed: failures + errors };
}

/** By the lines of Rust's test programs. */
export function rustCounts(output) {
  const found = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)];
  if (found.length === 0) return { passed: 0, failed: 1 };
  const sum = (group) => found.reduce((total, match) => total + Number(match[group]), 0);
  return { passed: sum(1), failed: sum(2) };
}
