import { describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { processors } from '../src/processor/processors.ts'
import { type SourceFile as File, sourceFiles as files } from './support/source-files.ts'

const MODULES = [
  'programs',
  'partners',
  'customers',
  'sales',
  'events',
  'accounts',
  'visitors',
  'money',
  'audit',
  'views',
  'explain',
  'payments',
  'mail',
  'idempotency',
]
/** The operations of a module: they combine modules, so the rules for tables and rules do not apply to them. */
const isOperation = (path: string) => /^(?!http\/)\w+\/operations\//.test(path)
const moduleOf = (path: string) => (path.includes('/') ? path.split('/')[0] : path)

/** Lists the offending imports so that a failure names the file. */
const offenders = (of: (file: File) => boolean, breaks: (imported: string, file: File) => boolean) =>
  files
    .filter(of)
    .flatMap((file) =>
      file.imports.filter((imported) => breaks(imported, file)).map((imported) => `${file.path} → ${imported}`),
    )

/** Files that write what an event causes. */
const WRITERS = [
  'customers/customers.ts',
  'customers/leads.ts',
  'customers/store-address.ts',
  'events/roll-up/changed-days.ts',
  'explain/decisions.ts',
  'money/commissions/commissions.ts',
  'money/commissions/create-commissions.ts',
  'money/commissions/rebook.ts',
  'money/commissions/refunds.ts',
  'money/commissions/disputes.ts',
  'money/reviews/reviews.ts',
  'money/adjustments/adjustments.ts',
]

/** Files that decide without touching the database, the clock or a key. */
const PURE = [
  /^attribution\//,
  /^payments\/(payment-report|fold-reports|refunded-gross)\.ts$/,
  /^tracking\/payments\/plan-sale\.ts$/,
  /^money\/rewards\/(rewards|rules|months|requested-terms|rule-warnings|show-rules)\.ts$/,
  /^money\/adjustments\/decide-[\w-]+\.ts$/,
  /^money\/commissions\/(evaluate|commission-rules|ledger-moves)\.ts$/,
]

describe('the import rules of the architecture', () => {
  test('were read from files that exist', () => {
    expect(files.length).toBeGreaterThan(50)
    for (const module of ['http', 'tracking', 'attribution', 'database', ...MODULES])
      expect(files.some((file) => file.module === module)).toBe(true)
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(200)
  })

  test('nothing below http imports Hono', () => {
    const above = (file: File) =>
      file.module !== 'http' && !['app.ts', 'listen.ts', 'operations.ts'].includes(file.path)
    expect(
      offenders(
        above,
        (imported) => imported === 'hono' || imported.startsWith('hono/') || imported.startsWith('http/'),
      ).filter((line) => !line.startsWith('compose.ts')),
    ).toEqual([])
  })

  test('nothing outside accounts and http/sign-in imports better-auth', () => {
    const outside = (file: File) =>
      file.module !== 'accounts' && !file.path.startsWith('http/sign-in/') && file.module !== 'demo'
    expect(offenders(outside, (imported) => imported.startsWith('better-auth'))).toEqual([])
  })

  /** A processor is a folder; `processors.ts` and `settings.ts` have its line. Nothing else knows which processors there are. */
  const processorIn = (path: string) =>
    /^processor\/(?!operations|connections|translating|signatures|personal-data)([\w-]+)\//.exec(path)?.[1]
  const PROCESSOR_LISTS = ['processor/processors.ts', 'processor/settings.ts']
  /** What a processor's folder may import, besides npm packages and itself. */
  const FOR_PROCESSORS = [
    /^processor\/(port|translation|call-api|listing|oauth-platform)\.ts$/,
    /^processor\/(translating|signatures|personal-data)\//,
    /^payments\/payment-report\.ts$/,
    /^money\/rewards\/rewards\.ts$/,
    /^config\/(read-values|startup-error)\.ts$/,
    /^refusal\.ts$/,
  ]

  test('nothing but the lists imports a payment processor’s folder', () => {
    const outside = ({ path }: File) => !processorIn(path) && !PROCESSOR_LISTS.includes(path)
    expect(offenders(outside, (imported) => processorIn(imported) !== undefined)).toEqual([])
    expect(
      offenders(
        ({ path }) => PROCESSOR_LISTS.includes(path),
        (imported) => processorIn(imported) !== undefined,
      ),
    ).not.toEqual([])
    // A processor's client would be one more dependency for what `call-api.ts` does.
    expect(
      offenders(
        () => true,
        (imported) => imported === 'stripe',
      ),
    ).toEqual([])
  })

  test('a payment processor’s folder imports only what is made for all of them', () => {
    const isFile = (imported: string) => files.some(({ path }) => path === imported)
    const isOwn = (imported: string, { path }: File) => processorIn(imported) === processorIn(path)
    const foreign = (imported: string, file: File) =>
      isFile(imported) && !isOwn(imported, file) && !FOR_PROCESSORS.some((allowed) => allowed.test(imported))
    expect(offenders(({ path }) => processorIn(path) !== undefined, foreign)).toEqual([])
  })

  test('nothing outside the folders and their lists names a payment processor, contract and dashboard included', async () => {
    const names = [...new Set(files.flatMap(({ path }) => processorIn(path) ?? []))]
    expect(names).toContain('stripe')
    const isNamed = new RegExp(`\\b(${names.join('|')})\\b`, 'i')
    const outside = files.filter(({ path }) => !processorIn(path) && !PROCESSOR_LISTS.includes(path))
    const others = shipped.filter((path) => /^(apps\/dashboard|packages\/contract)\/.*\.tsx?$/.test(path))
    const texts = others.map(async (path) => ({ path, text: await Bun.file(join(REPOSITORY, path)).text() }))
    const naming = [...outside, ...(await Promise.all(texts))].filter(({ text }) => isNamed.test(text))
    expect(others.length).toBeGreaterThan(100)
    expect(naming.map(({ path }) => path)).toEqual([])
  })

  /** Parts of the port that few processors have. Each is at most 60 lines on top (decision 49), and so is a file of codes or items. */
  const RARE_PARTS = ['endpoints', 'platform'] as const
  const ON_TOP = /\/(codes|items)\.ts$/

  test('a payment processor’s folder has at most 350 lines, and 60 more for each rare part', () => {
    const sizes = processors.map((processor) => {
      const own = files.filter(({ path }) => processorIn(path) === processor.name)
      const lines = own.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
      const more =
        RARE_PARTS.filter((part) => processor[part]).length + own.filter(({ path }) => ON_TOP.test(path)).length
      return { name: processor.name, lines, limit: 350 + 60 * more }
    })
    const folders = new Set(files.flatMap(({ path }) => processorIn(path) ?? []))
    expect(new Set(sizes.map(({ name }) => name))).toEqual(folders)
    expect(sizes.filter(({ lines, limit }) => lines < 100 || lines > limit)).toEqual([])
  })

  test('nothing outside mail imports the mail library', () => {
    expect(
      offenders(
        ({ module }) => module !== 'mail',
        (imported) => imported.startsWith('nodemailer'),
      ),
    ).toEqual([])
  })

  test('http/processor → processor → tracking, and none of them imports its caller', () => {
    const upwards = (imported: string) => imported.startsWith('http/') || imported.startsWith('processor/')
    const below = ({ module, path }: File) =>
      [...MODULES, 'tracking', 'attribution', 'payments', 'database'].includes(module) && !isOperation(path)
    expect(offenders(below, upwards)).toEqual([])
  })

  test('modules import neither each other nor tracking: only tracking and operations combine them', () => {
    const isOther = (imported: string, { module }: File) =>
      [...MODULES, 'tracking', 'attribution'].includes(moduleOf(imported) ?? '') &&
      moduleOf(imported) !== module &&
      // An explanation applies the rule again that decided.
      !(module === 'explain' && PURE.some((rule) => rule.test(imported)))
    const types = offenders((file) => MODULES.includes(file.module) && !isOperation(file.path), isOther)
    // A type import is not a dependency at run time.
    const values = types.filter((line) => {
      const [path = '', imported = ''] = line.split(' → ')
      const file = files.find((each) => each.path === path)
      const name = imported.split('/').at(-1) ?? ''
      return !new RegExp(`import type [^']*'[^']*${name.replace('.', '\\.')}'`).test(file?.text ?? '')
    })
    expect(values).toEqual([])
  })

  test('nothing below operations imports one, and no operation imports Hono or http', () => {
    const below = ({ path, module }: File) =>
      module !== 'http' && !['app.ts', 'operations.ts'].includes(path) && !isOperation(path)
    expect(offenders(below, isOperation)).toEqual([])
    const ofHttp = (imported: string) => imported === 'hono' || imported.startsWith('http/')
    expect(offenders(({ path, module }) => isOperation(path) || module === 'platform', ofHttp)).toEqual([])
    expect(files.filter(({ path }) => isOperation(path)).length).toBeGreaterThan(3)
  })

  test('http reads from modules and leaves event processing to tracking', () => {
    const ofAnEvent = (imported: string) =>
      ['attribution', 'payments', 'sales'].includes(moduleOf(imported) ?? '') || WRITERS.includes(imported)
    expect(offenders(({ module, path }) => module === 'http' || isOperation(path), ofAnEvent)).toEqual([])
    expect(WRITERS.filter((path) => files.every((file) => file.path !== path))).toEqual([])
    expect(offenders(({ module }) => module === 'tracking', ofAnEvent).length).toBeGreaterThan(20)
    const processor = (imported: string) => moduleOf(imported) === 'processor'
    // context.ts lists the dependencies of the routes, including the processor's event queue.
    const others = ({ module, path }: File) =>
      module === 'http' && path !== 'http/context.ts' && !/^http\/(processor|session)\//.test(path)
    expect(offenders(others, processor)).toEqual([])
  })

  test('pure rules import values only from each other', () => {
    const isRule = (path: string) => PURE.some((rule) => rule.test(path))
    const valueImports = ({ path, text }: File) =>
      [...text.matchAll(/^import (?!type )[^']*'([^']+)'/gm)].map(([, name = '']) =>
        name.startsWith('.') ? join(dirname(path), name) : name,
      )
    const rules = files.filter(({ path }) => isRule(path))
    expect(PURE.filter((rule) => !rules.some(({ path }) => rule.test(path)))).toEqual([])
    const impure = rules.flatMap((file) =>
      valueImports(file)
        .filter((imported) => !['@tributary/contract', 'erased-key.ts'].includes(imported) && !isRule(imported))
        .map((imported) => `${file.path} → ${imported}`),
    )
    expect(impure).toEqual([])
  })

  test('only config reads the environment', () => {
    expect(
      files
        .filter(({ text }) => /process\.env|Bun\.env|import\.meta\.env/.test(text))
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['commands/cli.ts', 'main.ts'])
  })

  test('only modules, tracking and the database folder write SQL', () => {
    const speaks = ({ text }: File) => /\.(insertInto|updateTable|deleteFrom|selectFrom)\(|sql`|sql</.test(text)
    const allowed = [...MODULES, 'tracking', 'processor', 'notifications', 'outbox', 'webhooks', 'database', 'demo']
    expect(files.filter((file) => speaks(file) && !allowed.includes(file.module)).map(({ path }) => path)).toEqual([])
  })

  test('a fixed limit is part of the statement, because a prepared statement is planned for a tenth of the table otherwise', () => {
    const parameters = files.filter(({ text }) => /LIMIT \$\{[A-Z_]+\}/.test(text)).map(({ path }) => path)
    expect(parameters).toEqual([])
  })

  test('a list in a statement is one parameter, so its length does not change the statement text', () => {
    const listed = /\(\[?'[\w.]+', '(not )?in', \w+(\.\w+)*\)/
    expect(files.filter(({ text }) => listed.test(text)).map(({ path }) => path)).toEqual([])
    expect(listed.test("where('id', 'in', input.ids)")).toBe(true)
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

/** Groups of files that import one another, directly or through other files of the group. */
const cyclesIn = (edges: Map<string, string[]>) => {
  const reached = new Map([...edges.keys()].map((path) => [path, reachable(path, edges)]))
  const groups = [...reached]
    .filter(([path, others]) => others.has(path))
    .map(([path, others]) => [...others].filter((other) => reached.get(other)?.has(path)).toSorted())
  return [...new Set(groups.map((group) => group.join(' ⇄ ')))].toSorted()
}

/** Type imports count too: files that need each other's types cannot be read or moved separately. */
describe('import cycles', () => {
  test('are found, including indirect ones', () => {
    const edges = { a: ['b'], b: ['c'], c: ['a', 'd'], d: ['e'], e: ['d'], f: ['a'], g: ['g'] }
    expect(cyclesIn(new Map(Object.entries(edges)))).toEqual(['a ⇄ b ⇄ c', 'd ⇄ e', 'g'])
  })

  test('are exactly the known ones', () => {
    expect(cyclesIn(new Map(files.map(({ path, imports }) => [path, imports])))).toEqual([])
  })
})

const MAX_FILES = 20
const MAX_LINES = 70

const indentOf = (line: string) => line.length - line.trimStart().length

/**
 * Every function with its length in lines, read from the formatter's layout: a block starts on a line and continues
 * while lines are indented deeper or close a bracket at the same depth. It is a function if a line at that depth has an
 * arrow or starts a function or method.
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

/** Lines inside a template literal have arbitrary indentation, so they count as deeper than any code. */
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

/** Code that is installed or served; tests and tools may be shaped differently. */
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
  test(`no folder has more than ${MAX_FILES} files directly in it`, () => {
    for (const root of SHIPPED) expect(shipped.some((path) => path.startsWith(root))).toBe(true)
    const folders = Map.groupBy(shipped, (path) => dirname(path))
    const large = [...folders].filter(([, own]) => own.length > MAX_FILES).map(([folder]) => folder)
    expect(large.toSorted()).toEqual([])
  })

  test('a function is measured from its first line to its last, in every form', () => {
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
