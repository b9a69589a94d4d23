import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { type SourceFile as File, sourceFiles as files } from './support/source-files.ts'

const ROOMS = [
  'programs',
  'partners',
  'customers',
  'sales',
  'events',
  'accounts',
  'visitors',
  'money',
  'audit',
  'explain',
  'payments',
  'mail',
  'idempotency',
]
const roomOf = (path: string) => (path.includes('/') ? path.split('/')[0] : path)

/** Lists what breaks a rule, so that the failure names the file. */
const offenders = (of: (file: File) => boolean, breaks: (imported: string, file: File) => boolean) =>
  files
    .filter(of)
    .flatMap((file) =>
      file.imports.filter((imported) => breaks(imported, file)).map((imported) => `${file.path} → ${imported}`),
    )

describe('the arrows of the architecture', () => {
  test('were read from files that exist', () => {
    expect(files.length).toBeGreaterThan(50)
    for (const room of ['http', 'tracking', 'attribution', 'database', ...ROOMS])
      expect(files.some((file) => file.room === room)).toBe(true)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
  })

  test('nothing below http knows Hono', () => {
    const above = (file: File) => file.room !== 'http' && !['app.ts', 'listen.ts'].includes(file.path)
    expect(
      offenders(
        above,
        (imported) => imported === 'hono' || imported.startsWith('hono/') || imported.startsWith('http/'),
      ).filter((line) => !line.startsWith('compose.ts')),
    ).toEqual([])
  })

  test('the routes of partners and of strangers share what lies above both, and not each other', () => {
    const sides = ['http/portal/', 'http/public/']
    expect(
      offenders(
        ({ path }) => sides.some((side) => path.startsWith(side)),
        (imported, { path }) => sides.some((side) => imported.startsWith(side) && !path.startsWith(side)),
      ),
    ).toEqual([])
  })

  test('nothing outside accounts and http/session knows better-auth', () => {
    const outside = (file: File) =>
      file.room !== 'accounts' && !file.path.startsWith('http/session/') && file.room !== 'demo'
    expect(offenders(outside, (imported) => imported.startsWith('better-auth'))).toEqual([])
  })

  test('nothing outside processor and http/processor knows Stripe', () => {
    const outside = (file: File) => file.room !== 'processor' && !file.path.startsWith('http/processor/')
    expect(offenders(outside, (imported) => imported === 'stripe' || imported.startsWith('stripe/'))).toEqual([])
    // Its client is used where its words are translated, and nowhere else: another processor would be a sibling folder.
    const elsewhere = (file: File) => !file.path.startsWith('processor/stripe/')
    expect(offenders(elsewhere, (imported) => imported === 'stripe')).toEqual([])
    expect(files.some(({ path }) => path.startsWith('processor/stripe/'))).toBe(true)
  })

  test('nothing outside mail knows the mail library', () => {
    expect(
      offenders(
        ({ room }) => room !== 'mail',
        (imported) => imported.startsWith('nodemailer'),
      ),
    ).toEqual([])
  })

  test('http/processor → processor → tracking, and nothing of these knows who calls it', () => {
    const upwards = (imported: string) => imported.startsWith('http/') || imported.startsWith('processor/')
    const below = (file: File) => [...ROOMS, 'tracking', 'attribution', 'payments', 'database'].includes(file.room)
    expect(offenders(below, upwards)).toEqual([])
  })

  test('rooms import neither each other nor the stories: only stories bring them together', () => {
    const isOther = (imported: string, { room }: File) =>
      [...ROOMS, 'tracking', 'attribution'].includes(roomOf(imported) ?? '') && roomOf(imported) !== room
    const types = offenders((file) => ROOMS.includes(file.room), isOther)
    // A type is a word, not a dependency at run time.
    const values = types.filter((line) => {
      const [path = '', imported = ''] = line.split(' → ')
      const file = files.find((each) => each.path === path)
      const name = imported.split('/').at(-1) ?? ''
      return !new RegExp(`import type [^\\n]*${name.replace('.', '\\.')}'`).test(file?.text ?? '')
    })
    expect(values).toEqual([])
  })

  test('http reads from rooms, and leaves to stories what an event brings', () => {
    const ofAnEvent = (imported: string) =>
      ['attribution', 'payments', 'sales'].includes(roomOf(imported) ?? '') ||
      /^(customers\/(customers|leads)|events\/(changed-days|count-events)|explain\/decisions)\.ts$/.test(imported) ||
      /^money\/(commissions|earn|refunds|disputes|take-back|hold-disputed)\.ts$/.test(imported)
    expect(offenders(({ room }) => room === 'http', ofAnEvent)).toEqual([])
    // Stories do import these: the list is of files that are there.
    expect(offenders(({ room }) => room === 'tracking', ofAnEvent).length).toBeGreaterThan(20)
    const processor = (imported: string) => roomOf(imported) === 'processor'
    // What the routes are built from is named in context.ts, the queue of a processor's events included.
    const others = ({ room, path }: File) =>
      room === 'http' && path !== 'http/context.ts' && !/^http\/(processor|session)\//.test(path)
    expect(offenders(others, processor)).toEqual([])
  })

  test('pure rooms import nothing with side effects', () => {
    expect(
      offenders(
        ({ room }) => room === 'attribution',
        (imported) => imported !== '@tributary/contract' && roomOf(imported) !== 'attribution',
      ),
    ).toEqual([])
  })

  test('only config reads the environment', () => {
    expect(
      files
        .filter(({ text }) => /process\.env|Bun\.env|import\.meta\.env/.test(text))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual([
      'commands/backup.ts',
      'commands/processor-reconcile.ts',
      'commands/processor-replay.ts',
      'commands/restore.ts',
      'commands/verify-ledger.ts',
      'main.ts',
    ])
  })

  test('only rooms, stories and the database folder speak SQL', () => {
    const speaks = ({ text }: File) => /\.(insertInto|updateTable|deleteFrom|selectFrom)\(|sql`|sql</.test(text)
    const allowed = [...ROOMS, 'tracking', 'processor', 'database', 'demo']
    expect(files.filter((file) => speaks(file) && !allowed.includes(file.room)).map(({ path }) => path)).toEqual([])
  })

  test('a list in a statement is one parameter, so that its length makes no other text', () => {
    const listed = /\(\[?'[\w.]+', '(not )?in', \w+(\.\w+)*\)/
    expect(files.filter(({ text }) => listed.test(text)).map(({ path }) => path)).toEqual([])
    expect(listed.test("where('id', 'in', asked.ids)")).toBe(true)
  })
})

const reachable = (from: string, edges: Map<string, string[]>) => {
  const queue = [from]
  const seen = new Set<string>()
  for (const path of queue)
    for (const next of edges.get(path) ?? [])
      if (!seen.has(next)) {
        seen.add(next)
        queue.push(next)
      }
  return seen
}

/** Each group of files that import one another, directly or through others of the group. */
const cyclesIn = (edges: Map<string, string[]>) => {
  const reached = new Map([...edges.keys()].map((path) => [path, reachable(path, edges)]))
  const groups = [...reached]
    .filter(([path, others]) => others.has(path))
    .map(([path, others]) => [...others].filter((other) => reached.get(other)?.has(path)).toSorted())
  return [...new Set(groups.map((group) => group.join(' ⇄ ')))].toSorted()
}

/** Imports of types count too: files that need each other's types cannot be read or moved apart. */
describe('import cycles', () => {
  test('are found where files import one another, through others too', () => {
    const edges = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a'], g: ['g'] }
    expect(cyclesIn(new Map(Object.entries(edges)))).toEqual(['a ⇄ b ⇄ c', 'd ⇄ e', 'g'])
  })

  test('are the known ones', () => {
    expect(cyclesIn(new Map(files.map(({ path, imports }) => [path, imports])))).toEqual([])
  })
})

const MAX_FILES = 20
const MAX_LINES = 70

const indentOf = (line: string) => line.length - line.trimStart().length

/**
 * Every function with its length in lines, read from the layout that the formatter guarantees: what begins at a line is followed by
 * lines that are indented deeper, or that close a bracket at the same depth. It is a function where a line at that depth has an
 * arrow, or begins a function or a method.
 */
const functionsIn = ({ path, text }: Pick<File, 'path' | 'text'>) => {
  const lines = layoutOf(text)
  return lines.flatMap((first, start) => {
    const indent = indentOf(first)
    if (/^(export )?(type|interface|import) |^\s*([)}\]]|$)/.test(first) || isComment(first)) return []
    let end = start + 1
    while (end < lines.length && belongsTo(indent, lines[end] ?? '')) end++
    while (lines[end - 1]?.trim() === '') end--
    const own = lines.slice(start, end).filter((line) => line.trim() !== '' && indentOf(line) === indent)
    return own.some((line) => STARTS_BODY.test(line)) ? [{ name: `${path}: ${nameIn(first)}`, lines: end - start }] : []
  })
}

const isComment = (line: string) => /^\s*(\/?\*|\/\/)/.test(line)

/** The lines of a text within backticks have an indentation of their own, which says nothing: they count as deeper than any code. */
const layoutOf = (text: string) => {
  let isText = false
  return text.split('\n').map((line) => {
    const wasText = isText
    const backticks = line.match(/(?<!\\)`/g)?.length ?? 0
    if ((wasText || !isComment(line)) && backticks % 2 === 1) isText = !isText
    return wasText ? `${' '.repeat(200)}text` : line
  })
}

const belongsTo = (indent: number, line: string) =>
  line.trim() === '' || indentOf(line) > indent || (indentOf(line) === indent && /^\s*[)}\]]/.test(line))

const STARTS_BODY =
  /=>( [({[`]*)?$|=> \w.*[({[`]$|\bfunction\b.*[({]$|^\s*(?!(if|for|while|switch|catch)\b)(async )?\w+\(.*\).* \{$/

const nameIn = (line: string) => /(?:const|function) (\w+)|(\w+)[:(]/.exec(line)?.slice(1).find(Boolean) ?? line.trim()

/** What is installed or served; tests and tools have other shapes. */
const SHIPPED = [
  'apps/server/src',
  'apps/dashboard/src',
  'packages/contract/src',
  'packages/sdk/src',
  'packages/tracker/src',
]
const REPOSITORY = join(import.meta.dir, '../../..')
const shipped = SHIPPED.flatMap((root) => [...new Glob(`${root}/**/*`).scanSync(REPOSITORY)])

describe('sizes', () => {
  test(`no folder has more than ${MAX_FILES} files of its own`, () => {
    for (const root of SHIPPED) expect(shipped.some((path) => path.startsWith(root))).toBe(true)
    const folders = Map.groupBy(shipped, (path) => dirname(path))
    const large = [...folders].filter(([, own]) => own.length > MAX_FILES).map(([folder]) => folder)
    expect(large.toSorted()).toEqual([])
  })

  test('a function is measured from its first line to its last, whatever its form', () => {
    const forms = [
      'export const arrow = ({\n  a,\n}: { a: string }) => {\n  const b = a\n\n  return b\n}',
      'const expression = (a: string) =>\n  a\n    .trim()',
      'export async function declared(a: string) {\n  return a\n}',
      'const wrapped = memo(async (a) => {\n  return a\n})',
      'const object = {\n  method(a: string) {\n    return a\n  },\n  list: [\n    1,\n  ],\n}',
      'const text = () => {\n  return `\nfirst() {\n  second\n}`\n}',
      'type Word = {\n  say: (a: string) => void\n}',
    ]
    const measured = functionsIn({ path: 'a.ts', text: forms.join('\n\n') })
    expect(measured.map(({ name, lines }) => `${name} ${lines}`)).toEqual([
      'a.ts: arrow 7',
      'a.ts: expression 3',
      'a.ts: declared 3',
      'a.ts: wrapped 3',
      'a.ts: method 3',
      'a.ts: text 6',
    ])
  })

  test(`no function has more than ${MAX_LINES} lines`, async () => {
    const read = async (path: string) => functionsIn({ path, text: await Bun.file(join(REPOSITORY, path)).text() })
    const functions = await Promise.all(shipped.filter((path) => /\.tsx?$/.test(path)).map(read))
    const long = functions.flat().filter(({ lines }) => lines > MAX_LINES)
    expect(functions.flat().length).toBeGreaterThan(1000)
    expect(long.map(({ name }) => name)).toEqual([])
  })
})
