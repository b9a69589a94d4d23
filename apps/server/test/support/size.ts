/**
 * `npm test` runs the short form of a test, `npm run test:all` the long one. Files that only the long form needs are
 * called `*.long.test.ts`.
 */
export const isLongRun = process.env.TEST_SIZE === 'all'

export const sized = <Value>({ short, long }: { short: Value; long: Value }) => (isLongRun ? long : short)
