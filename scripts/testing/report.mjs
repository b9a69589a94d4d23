/** Counts, failures and the slowest files of a run, from the test results and the requested files. */
export const reportOf = ({ cases, files, name, exitCode, output = [] }) => {
  const failures = cases.filter(({ why }) => why !== null)
  const ran = new Set(cases.map(({ file }) => file))
  // A name filter may match nothing in a file; a file that should have run and did not is a failure.
  const silent = name === undefined ? files.filter((file) => !ran.has(file)) : []
  for (const file of silent) failures.push({ file, name: 'the whole file', why: whyItDidNotRun(file, output) })
  // Errors outside of a test are only in the output.
  if (failures.length === 0 && exitCode !== 0)
    failures.push({ file: fileOfError(output), name: 'the run itself', why: output.slice(-200).join('\n') })
  const passed = cases.filter(({ why, skipped }) => why === null && !skipped)
  const passedByFile = new Map()
  for (const { file } of passed) passedByFile.set(file, (passedByFile.get(file) ?? 0) + 1)
  return { passed: passed.length, passedByFile, failures, unstable: [], slowest: slowestOf(cases) }
}

/** One report of several runs. */
export const joinReports = (reports) => ({
  passed: reports.reduce((sum, { passed }) => sum + passed, 0),
  passedByFile: new Map(reports.flatMap(({ passedByFile }) => [...passedByFile])),
  failures: reports.flatMap(({ failures }) => failures),
  unstable: [],
  slowest: slowestFirst(reports.flatMap(({ slowest }) => slowest)),
})

/** Bun prints it below the name of the file that was running. */
const fileOfError = (output) => {
  const errorAt = output.indexOf('# Unhandled error between tests')
  const heading = output.slice(0, Math.max(errorAt, 0)).findLast((line) => HEADING.test(line))
  return heading?.slice(0, -1) ?? 'bun test'
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
  return slowestFirst([...seconds])
}

const slowestFirst = (files) => files.sort(([, one], [, other]) => other - one).slice(0, 20)

export const printReport = ({ failures, unstable, slowest }, print = console.error) => {
  print(
    `\nThe slowest files:\n${slowest.map(([file, time]) => `  ${time.toFixed(1).padStart(6)} s  ${file}`).join('\n')}`,
  )
  if (unstable.length > 0) print('\nUnstable: failed once, passed alone')
  for (const failure of unstable) print(described('?', failure))
  for (const failure of failures) print(described('✗', failure))
  if (failures.length + unstable.length > 0) print('')
}

const described = (mark, { file, name, why }) => `\n${mark} ${file}\n  ${name}\n\n${indented(why)}`

const indented = (text) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
