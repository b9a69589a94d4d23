/** `fail` must be fixed, `warn` should be. */
export type Finding = { check: string; level: 'ok' | 'warn' | 'fail'; message: string }

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message })
export const warn = (check: string, message: string): Finding => ({ check, level: 'warn', message })
export const fail = (check: string, message: string): Finding => ({ check, level: 'fail', message })

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

/** "3 days", "1 hour". */
export const formatAge = (seconds: number) => {
  const [size, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second']
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
