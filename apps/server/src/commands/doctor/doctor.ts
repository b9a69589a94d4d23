/** tributary doctor [--json]: checks what an operator can forget. Changes nothing. */
import { TRIBUTARY } from '../../config/command-name.ts'
import { readConfig } from '../../config/config.ts'
import { StartupError } from '../../config/startup-error.ts'
import { withErrorOutput } from '../terminal.ts'
import { checkDatabase } from './check-database.ts'
import { checkMachine } from './check-machine.ts'
import { checkNetwork } from './check-network.ts'
import { type Finding, fail, ok } from './finding.ts'

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' }

const examine = async (env: Record<string, string | undefined>): Promise<Finding[]> => {
  try {
    const config = readConfig(env)
    const settings = ok('settings', 'All settings are valid.')
    return [settings, ...checkMachine(config), ...(await checkDatabase(config)), ...(await checkNetwork(config))]
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [fail('settings', error.message)]
  }
}

export const command = withErrorOutput(async ({ args, env, print }) => {
  const unknown = args.find((word) => word !== '--json')
  if (unknown) throw new StartupError(`"${unknown}" is not an option. Usage: ${TRIBUTARY} doctor [--json]`)
  const findings = await examine(env)
  const failures = findings.filter(({ level }) => level === 'fail').length
  if (args.includes('--json')) print(JSON.stringify({ healthy: failures === 0, findings }, null, 2))
  else {
    for (const { check, level, message } of findings) print(`${MARKS[level]}  ${check}: ${message}`)
    const warnings = findings.filter(({ level }) => level === 'warn').length
    print(`${findings.length} checks: ${failures} to fix, ${warnings} to consider.`)
  }
  return failures === 0 ? 0 : 1
})
