import { availableParallelism } from 'node:os'
import { buildDashboard } from './build-dashboard.mjs'
import { runChecks } from './checks.mjs'
import { prepare } from './prepare.mjs'
import { runStep } from './run-step.mjs'
import { keepBusy } from './testing/busy.mjs'
import { startCluster } from './testing/cluster.mjs'
import { isPartial, readOptions, USAGE } from './testing/options.mjs'
import { rememberPassed, withoutRepeated } from './testing/passed.mjs'
import { changedPaths, testsReaching } from './testing/reachable.mjs'
import { joinReports, printReport } from './testing/report.mjs'
import { runFiles } from './testing/run-files.mjs'
import { hasSecondTry, tryAgain } from './testing/second-try.mjs'
import { sourcePaths, testFiles } from './testing/test-files.mjs'

/** Folders whose tests need a browser. Installing one can take longer than a test may, so it happens before them. */
const BROWSER_FOLDERS = ['packages/tracker', 'apps/dashboard', 'examples/']

/**
 * They start many real processes, and with four at a time they starved each other of the disk: a wait of 90 seconds was
 * not enough. They run after the others.
 */
const HEAVY = /^(chaos|scripts)\/.*\.long\.test\.ts$|\.heavy\.long\.test\.ts$/
const HEAVY_WORKERS = 2

/** They have time limits (docs/chaos.md), so each has the machine for itself. */
const ALONE = /^chaos\/test\/(overload|slow-clients|rolling-restart|freeze-postgres)\.long\.test\.ts$/

const partOf = (file) => (ALONE.test(file) ? 'alone' : HEAVY.test(file) ? 'heavy' : 'light')

/** The cores already have twice their work. */
const BUSY_WORKERS = availableParallelism() + 1

const findFiles = ({ root }, options) => {
  const paths = sourcePaths(root)
  const patterns = options.patterns.map((pattern) => withinRoot(root, pattern))
  const tests = testFiles(paths, { ...options, patterns })
  if (options.changedSince === undefined) return tests
  const reaching = testsReaching({ root, paths, tests, changed: changedPaths(root, options.changedSince) })
  console.error(`${reaching.length} of ${tests.length} test files can reach the changes.`)
  return reaching
}

/** After `npm test`, the long form of everything is what `npm test` did not run. */
const filesToRun = (tools, options) => {
  const files = findFiles(tools, options)
  if (!options.long || isPartial(options)) return files
  const wanted = withoutRepeated(tools.root, files)
  if (wanted.length < files.length)
    console.error(`${files.length - wanted.length} files have no long form and passed \`npm test\` with these sources.`)
  return wanted
}

/** Editors copy absolute paths. */
const withinRoot = (root, pattern) => (pattern.startsWith(`${root}/`) ? pattern.slice(root.length + 1) : pattern)

const needBrowser = (files) => files.some((file) => BROWSER_FOLDERS.some((folder) => file.startsWith(folder)))

/** Returns what failed. */
const prepareFor = async (tools, files) => {
  if (!needBrowser(files)) return []
  const problem = buildDashboard(tools)
  if (problem) console.error(problem)
  const isInstalled = (await installBrowser(tools)) === 0
  return [...(problem ? ['the build of the dashboard'] : []), ...(isInstalled ? [] : ['the installation of a browser'])]
}

const installBrowser = ({ root, bun }) => runStep(bun, ['scripts/browser/install-browser.ts'], { cwd: root })

const runAll = async (tools, { files, env, name, long, busy }) => {
  const filesOf = (part) => files.filter((file) => partOf(file) === part)
  const parts = [
    { files: filesOf('light'), ...(busy && { workers: BUSY_WORKERS }) },
    { files: filesOf('heavy'), workers: HEAVY_WORKERS },
    { files: filesOf('alone'), workers: 1 },
  ]
  const reports = []
  for (const part of parts) if (part.files.length > 0) reports.push(await runFiles(tools, { ...part, env, name }))
  const report = joinReports(reports)
  if (!hasSecondTry({ long })) return report
  return tryAgain(report, { files, run: (file) => runFiles(tools, { files: [file], env, name, workers: 1 }) })
}

const main = async () => {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return console.log(USAGE)
  const tools = prepare({ development: true })
  const files = filesToRun(tools, options)
  if (files.length === 0) return nothingToRun(options)
  // They run beside the build and the first tests, which wait about half of the time.
  const checks = isPartial(options) ? [] : runChecks(tools)
  const preparing = await prepareFor(tools, files)
  const cluster = await startCluster(tools)
  const load = options.busy ? keepBusy() : undefined
  const env = { ...cluster.env, ...(options.long && { TEST_SIZE: 'all' }) }
  try {
    if (options.watch) return await watch(tools, { files, env, name: options.name })
    const report = await runAll(tools, { files, env, name: options.name, long: options.long, busy: options.busy })
    printReport(report)
    const failedSteps = [...preparing, ...(await checks)]
    for (const name of failedSteps) console.error(`✗ ${name}: see above`)
    const failed = failedSteps.length + report.failures.length
    console.log(`${report.passed} passed, ${failed} failed`)
    process.exitCode = failed === 0 ? 0 : 1
    if (failed === 0 && !options.long && !isPartial(options)) rememberPassed(tools.root, files)
  } finally {
    load?.stop()
    await cluster.stop()
  }
}

/** A mistyped path must not look like success; a change that no test can reach may. */
const nothingToRun = ({ changedSince }) => {
  console.log(changedSince === undefined ? 'No test file matches.' : 'No test can reach the changes.')
  console.log('0 passed, 0 failed')
  process.exitCode = changedSince === undefined ? 1 : 0
}

/** Bun's watcher reruns the tests that a saved file can reach. */
const watch = ({ root, bun }, { files, env, name }) =>
  runStep(
    bun,
    ['test', '--watch', '--timeout', '90000', ...(name ? ['-t', name] : []), ...files.map((file) => `./${file}`)],
    {
      cwd: root,
      env: { ...process.env, ...env },
    },
  )

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
