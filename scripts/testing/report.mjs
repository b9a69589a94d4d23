/** Counts, failures and the slowest files of a run, from the test results and the requested files. */
export const reportOf = ({ cases, files, name, exitCode, output = [] }) => {
  const failures = cases.filter(({ why }) => why !== null)
  const ran = new Set(cases.map(({ file }) => file))
  // A name filter may match nothing in a file; a file that should have run and did not is a failure.
  const silent = name === undefined ? files.filter((file) => !ran.has(file)) : []
  for (const file of silent) failures.push({ file, name: 'the whole file', why: whyItDidNotRun(file, output) })
  // Errors outside of a test are only in the output.
  if (failures.length === 0 && exitCode !== 0)
    failures.push({ file: 'bun test', name: 'the run itself', why: output.slice(-200).join('\n') })
  const passed = cases.filter(({ why, skipped }) => why === null && !skipped).length
  return { passed, failures, slowest: slowestOf(cases) }
}

const HEADING = /^\S+\.test\.(?:tsx?|mjs):$/

/** Bun prints load errors below the file name. */
const whyItDidNotRun = (file, output) => {
  const start = output.indexOf(`${file}:`)
  if (start < 0) return 'None of its tests ran. It is empty or cannot be loaded.'
  const length = output.slice(start + 1).findIndex((line) => HEADING.test(line))
  return output
    .slice(start + 1, length < 0 ? start + 40 : start + 1 + length)
    .join('\n')
    .trim()
}

const slowestOf = (cases) => {
  const seconds = new Map()
  for (const test of cases) seconds.set(test.file, (seconds.get(test.file) ?? 0) + test.seconds)
  return [...seconds].sort(([, one], [, other]) => other - one).slice(0, 10)
}

export const printReport = ({ failures, slowest }, print = console.error) => {
  print(
    `\nThe slowest files:\n${slowest.map(([file, time]) => `  ${time.toFixed(1).padStart(6)} s  ${file}`).join('\n')}`,
  )
  for (const { file, name, why } of failures) print(`\n✗ ${file}\n  ${name}\n\n${indented(why)}`)
  if (failures.length > 0) print('')
}

const indented = (text) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
