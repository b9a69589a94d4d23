const FILE = /^(\S+\.test\.(?:tsx?|mjs)):$/
const RESULT = /^\((pass|fail)\) (.*?)(?: \[[\d.]+m?s\])?$/
const LINE_EVERY_MS = 20_000

/** Reads bun's output as it arrives and shows progress: one line that is overwritten, or one every 20 seconds. */
export const showProgress = ({ files, workers, timeOf, out = process.stderr, now = Date.now }) => {
  const startedAt = now()
  const total = files.reduce((sum, file) => sum + timeOf(file), 0)
  const seen = []
  const counts = { pass: 0, fail: 0 }
  let file = ''
  let isOver = false
  let printedAt = startedAt

  const line = () => {
    // A worker has one file at a time, so all but the last few files seen are done.
    const running = seen.slice(-workers)
    const done = seen.slice(0, -workers).reduce((sum, path) => sum + timeOf(path), 0)
    const elapsed = now() - startedAt
    // At the current pace; in the beginning, at the pace of the last run.
    const left = done > total / 20 ? (elapsed * (total - done)) / done : Math.max(0, total / workers - elapsed)
    return `${minutes(elapsed)}  ${Math.max(0, seen.length - workers)} of ${files.length} files, ${counts.pass} passed, ${counts.fail} failed, about ${minutes(left)} left; running ${running.map(shortName).join(', ')}`
  }
  const print = () => {
    if (out.isTTY) out.write(`\r\u001b[2K${line().slice(0, (out.columns ?? 80) - 1)}`)
    else if (now() - printedAt > LINE_EVERY_MS) {
      printedAt = now()
      out.write(`${line()}\n`)
    }
  }
  // Also while a long test prints nothing.
  const timer = setInterval(print, 1_000).unref()
  return {
    read: (text) => {
      // Bun ends by repeating the names of the failed tests.
      isOver ||= /^\d+ tests? failed:$/.test(text)
      if (isOver) return
      file = text.match(FILE)?.[1] ?? file
      const [, result, name] = text.match(RESULT) ?? []
      if (!result) return
      counts[result] += 1
      const before = seen.indexOf(file)
      if (before >= 0) seen.splice(before, 1)
      seen.push(file)
      if (result === 'fail') out.write(`${out.isTTY ? '\r\u001b[2K' : ''}✗ ${file}: ${name}\n`)
      print()
    },
    end: () => {
      clearInterval(timer)
      if (out.isTTY) out.write('\r\u001b[2K')
    },
  }
}

const minutes = (milliseconds) => {
  const seconds = Math.round(milliseconds / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

const shortName = (path) =>
  path
    .split('/')
    .at(-1)
    .replace(/\.test\.\w+$/, '')
