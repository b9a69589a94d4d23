export const USAGE = `npm test                      all checks and the short form of every test
npm test -- FILE …            only these files (a part of the path is enough), without the checks
npm test -- -t NAME           only tests whose name matches (a regular expression; groups and test are joined by a space)
npm test -- --changed[=REF]   only tests that the changes since REF (HEAD) can reach; combines with FILE …
npm test -- --watch [FILE …]  rerun after every change
npm run test:all              the long form of every test; after npm test, without the files that have none
npm run test:busy             the short form on an overloaded machine`

/** Parses the arguments. Throws a sentence if they make no sense. */
export const readOptions = (args) => {
  const options = {
    patterns: [],
    name: undefined,
    changedSince: undefined,
    watch: false,
    long: false,
    busy: false,
    help: false,
  }
  const rest = [...args]
  while (rest.length > 0) {
    const arg = rest.shift()
    if (arg === '--watch') options.watch = true
    else if (arg === '--help' || arg === '-h') options.help = true
    else if (arg === '--all') options.long = true
    else if (arg === '--busy') options.busy = true
    else if (arg === '--changed') options.changedSince = 'HEAD'
    else if (arg.startsWith('--changed=')) options.changedSince = arg.slice('--changed='.length)
    else if (arg === '-t' || arg === '--test-name-pattern') options.name = nextOf(rest, arg)
    else if (arg.startsWith('-')) throw new Error(`Unknown option: ${arg}.\n\n${USAGE}`)
    else options.patterns.push(arg)
  }
  return options
}

const nextOf = (rest, arg) => {
  const value = rest.shift()
  if (value === undefined) throw new Error(`${arg} needs a name.\n\n${USAGE}`)
  return value
}

/** A partial run should be fast, so the checks only run with the whole suite. */
export const isPartial = ({ patterns, name, changedSince, watch }) =>
  patterns.length > 0 || name !== undefined || changedSince !== undefined || watch
