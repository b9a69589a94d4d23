/** Parses a JUnit report: each test with its file, full name, seconds and, if it failed, the reason. */
export const readJunit = (xml) => {
  const cases = []
  const groups = []
  let open = null
  for (const [, closing, tag, attributes, isEmpty, text] of xml.matchAll(
    /<(\/?)(testsuite|testcase|failure|error|skipped)\b([^>]*?)(\/?)>([^<]*)/g,
  )) {
    const { name, file, time, message } = attributesIn(attributes)
    if (tag === 'testsuite') {
      if (closing) groups.pop()
      else if (!isEmpty) groups.push({ name, file })
    } else if (tag === 'testcase' && !closing) {
      // The outermost group is the file itself.
      const names = [...groups.slice(1).map((group) => group.name), name]
      open = {
        file: file ?? groups[0]?.file,
        name: names.join(' > '),
        seconds: Number(time),
        skipped: false,
        why: null,
      }
      cases.push(open)
    } else if (!closing && open && tag === 'skipped') open.skipped = true
    else if (!closing && open && tag !== 'testcase') open.why = unescaped(text).trim() || message || 'no reason given'
  }
  return cases
}

const attributesIn = (text) =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, unescaped(value)]))

const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

const unescaped = (text) =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
    return decimal ? String.fromCodePoint(Number(decimal)) : (ENTITIES[name] ?? whole)
  })
