import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { exitCodeOf } from '../run-step.mjs'
import { readJunit } from './junit.mjs'
import { showProgress } from './progress.mjs'
import { reportOf } from './report.mjs'
import { readTimings } from './timings.mjs'

// Long enough for a browser or a start of Postgres on an overloaded machine; a hanging test still ends.
const TEST_TIMEOUT_MS = 90_000

/**
 * Tests wait for Postgres, browsers and timers about half of the time: one more than cores left two cores a third idle. More
 * processes slow each other down, and a service that waits two seconds for its database answers 503.
 */
const WORKERS = Number(process.env.TEST_WORKERS ?? availableParallelism() + 2)

const SIGNALS = ['SIGINT', 'SIGTERM']

/** No test runs long enough to amortize the last stage of compilation. */
const JIT = { BUN_JSC_useFTLJIT: 'false' }

/** Runs test files in several processes, the slowest first, and returns the result of each test. */
export const runFiles = async ({ root, bun }, { files, env, name, workers = WORKERS }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-results-'))
  const junit = join(folder, 'junit.xml')
  const timings = readTimings(root, files, { long: env.TEST_SIZE === 'all' })
  const args = [
    ['test', '--timeout', String(TEST_TIMEOUT_MS)],
    [
      `--parallel=${workers}`,
      '--no-isolate',
      `--timings=${timings.path}`,
      ...(name ? ['-t', name] : ['--update-timings']),
    ],
    ['--reporter=junit', `--reporter-outfile=${junit}`],
    files.map((file) => resolve(root, file)),
  ]
  const tests = spawn(bun, args.flat(), {
    cwd: root,
    env: { ...process.env, ...JIT, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const progress = showProgress({ files, workers, timeOf: timings.of })
  const output = []
  createInterface({ input: tests.stderr }).on('line', (line) => {
    progress.read(line)
    output.push(line)
  })
  const stop = stopOnSignal(tests)
  const exitCode = await exitCodeOf(tests)
  progress.end()
  stop.forget()
  const cases = readResults(junit)
  rmSync(folder, { recursive: true, force: true })
  if (stop.wasSignaled()) throw new Error('Interrupted.')
  const report = reportOf({
    cases,
    files,
    name,
    exitCode,
    output,
  })
  return report
}

/** Ctrl-C reaches the tests directly; we keep running to stop the rest in order. */
const stopOnSignal = (tests) => {
  let isSignaled = false
  const onSignal = (signal) => {
    isSignaled = true
    tests.kill(signal)
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const forget = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  return { wasSignaled: () => isSignaled, forget }
}

const readResults = (path) => {
  try {
    return readJunit(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
