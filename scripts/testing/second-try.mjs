/** More failures than this have a common cause, which a second try would only hide or confirm slowly. */
const MOST_FILES = 8

/** Only in the long form, which cannot simply be started again. In `npm test` a failure is final, in CI too. */
export const hasSecondTry = ({ long }) => long

/**
 * Runs each failed file again, alone. A file that passes then counts as passed, and its first failures become `unstable`,
 * which the report shows.
 */
export const tryAgain = async (report, { files, run }) => {
  const failed = new Set(report.failures.map(({ file }) => file))
  const again = files.filter((file) => failed.has(file))
  if (again.length === 0 || again.length > MOST_FILES) return report
  let { passed, failures } = report
  const unstable = []
  for (const file of again) {
    const second = await run(file)
    if (second.failures.length > 0) continue
    passed += second.passed - (report.passedByFile.get(file) ?? 0)
    unstable.push(...failures.filter((failure) => failure.file === file))
    failures = failures.filter((failure) => failure.file !== file)
  }
  return { ...report, passed, failures, unstable }
}
