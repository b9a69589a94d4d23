/** What bun's test report says: its counts, and each failure with the file it is in and everything printed since the test before. */
export const readReport = (report) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bun colours its report with escape sequences
  const lines = report.replace(/\u001b\[[\d;]*m/g, '').split('\n')
  return {
    passed: count(lines, 'pass'),
    failed: count(lines, 'fail'),
    errors: count(lines, 'errors?'),
    failures: failuresIn(lines),
  }
}

const count = (lines, word) => {
  const summary = new RegExp(`^ *(\\d+) ${word}$`)
  return Number(lines.findLast((line) => summary.test(line))?.match(summary)[1] ?? 0)
}

const FILE = /^(\S+\.test\.(?:tsx?|mjs)):$/
const RESULT = /^\((pass|fail|skip|todo)\) (.*?)(?: \[[\d.]+m?s\])?$/

const BETWEEN = '# Unhandled error between tests'

const failuresIn = (lines) => {
  const failures = []
  let file = ''
  let since = 0
  for (const [index, line] of lines.entries()) {
    // With many failures bun lists their names once more at the end.
    if (/^\d+ tests? failed:$/.test(line)) break
    const [, result, name] = line.match(RESULT) ?? []
    file = line.match(FILE)?.[1] ?? file
    if (result === 'fail') failures.push({ file, name, text: lines.slice(since, index + 1).join('\n') })
    if (line === BETWEEN)
      failures.push({ file, name: 'outside of a test', text: lines.slice(index, index + 20).join('\n') })
    if (result || FILE.test(line)) since = index + 1
  }
  return failures
}
