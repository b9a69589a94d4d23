import { describe, expect, test } from 'bun:test'
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
      /^(customers\/(customers|leads)|events\/(daily-counts|count-events)|explain\/decisions)\.ts$/.test(imported) ||
      /^money\/(commissions|earn|refunds|disputes|take-back|hold-disputed)\.ts$/.test(imported)
    expect(offenders(({ room }) => room === 'http', ofAnEvent)).toEqual([])
    // Stories do import these: the list is of files that are there.
    expect(offenders(({ room }) => room === 'tracking', ofAnEvent).length).toBeGreaterThan(20)
    const processor = (imported: string) => roomOf(imported) === 'processor'
    const others = (file: File) => file.room === 'http' && !/^http\/(processor|session)\//.test(file.path)
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
