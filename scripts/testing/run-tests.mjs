import { spawn } from 'node:child_process'
import { exitCodeOf } from '../run-step.mjs'
import { readReport } from './report.mjs'

// A start of Postgres, a few hundred requests and a browser fit well on a busy machine too; a hanging test still ends.
const TEST_TIMEOUT_MS = 90_000

/** Runs bun's tests and answers its report. Everything is shown, at once or, where two would talk at the same time, at the end. */
export const runTests = async ({ root, bun }, args, { isHeld = false } = {}) => {
  const env = { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: '1' }) }
  const tests = spawn(bun, ['test', '--timeout', String(TEST_TIMEOUT_MS), ...args], {
    cwd: root,
    env,
    stdio: ['ignore', isHeld ? 'pipe' : 'inherit', 'pipe'],
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal))
  let output = ''
  let text = ''
  tests.stdout?.on('data', (chunk) => {
    output += chunk
  })
  tests.stderr.on('data', (chunk) => {
    if (isHeld) output += chunk
    else process.stderr.write(chunk)
    text += chunk
  })
  const code = await exitCodeOf(tests)
  const report = readReport(text)
  // A crash of the runner, or a file that cannot be loaded, is a failure although bun counts no test for it.
  const isCrash = report.errors > 0 || (report.failed === 0 && (code !== 0 || report.passed === 0))
  return { ...report, isCrash, failed: Math.max(report.failed, isCrash ? 1 : 0), output }
}

/** Two halves that take about as long, side by side: the service's own tests, and whatever is built on the service. */
const HALVES = [['apps/server'], ['apps/dashboard', 'packages', 'examples', 'scripts', 'bench']]
/** Floods and frozen databases: they want the machine for themselves, and would disturb whoever shares it. */
const ALONE = ['chaos/test']

export const runAllTests = async (tools) => {
  const [shown, held] = HALVES.map((rooms, index) => runTests(tools, rooms, { isHeld: index > 0 }))
  const parts = [await shown, await held]
  process.stderr.write(parts[1].output)
  parts.push(await runTests(tools, ALONE))
  const failures = parts.flatMap((part) => part.failures)
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0)
  const counts = { passed: sum('passed'), failed: sum('failed') }
  if (failures.length === 0) return counts
  console.error(`\nFailed:\n${failures.map(({ file, text }) => `\n${file}\n${text}`).join('\n')}`)
  if (parts.some((part) => part.isCrash)) return counts
  return again(tools, counts, failures)
}

// More than a few failures are no accident of a busy machine.
const FEW = 3

/**
 * The halves share the machine with each other, so a test that counts on an answer in time can fail by their load.
 * Its whole file is run once more with the machine to itself; what fails there has failed.
 */
const again = async (tools, counts, failures) => {
  const files = [...new Set(failures.map(({ file }) => file))]
  if (failures.length > FEW) return counts
  console.error(`\nOnce more, with the machine to itself: ${files.join(', ')}`)
  const { failed } = await runTests(tools, files)
  if (failed > 0) return counts
  console.error(`\nFailed beside other tests and passed alone: ${failures.map(({ name }) => name).join(', ')}`)
  return { passed: counts.passed + failures.length, failed: 0 }
}
