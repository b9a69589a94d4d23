import type { PageQuery, Sendable, z } from '@tributary/contract'
import type { Declaration, Parameter, PathParameters } from '@tributary/contract/declarations'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/connect.ts'
import type { Tx } from '../database/transaction.ts'
import type { Program } from '../programs/programs.ts'
import type { Key, Member, Partner, SignedInPartner, Visitor } from './actor.ts'
import type { Audit } from './audit.ts'
import type { FileAnswer } from './files.ts'
import type { Repeated } from './repeated.ts'

/**
 * What the operations of a resource do, in the order of the declarations. `things` finds what the path names; the adapter
 * looks it up first and passes it by its name: `groupId` as `group`. A parameter without a thing, such as a token, is left to the run.
 *
 * A run that reads gets `db`. One that changes something runs in a transaction, `tx`, which is repeated after a deadlock; one that
 * needs several or none says so: `{ ownTransactions: async ({ db, … }) => … }`. Read the time from `clock` after taking a lock. Things
 * are as they were before the transaction; read again what the change depends on. `allow` refuses callers that the permission lets in,
 * before the request is read: `{ allow: ({ actor, … }) => …, run: async ({ tx, … }) => … }`.
 */
export const runs = <
  const Declared extends Declarations,
  Things extends ThingsOf<Declared>,
  Each extends { [Name in keyof Declared]: RunOf<Declared[Name], Things> },
>(
  declarations: Declared,
  things: Things,
  each: Each & NothingMore<Declared, Each>,
): Operations =>
  Object.entries(declarations).map(([name, declaration]) => {
    // The types above check each against its declaration, and the adapter passes what the declaration says.
    const given = each[name] as unknown as AnyRun | AnyEntry
    const { allow, run, ownTransactions = run } = typeof given === 'function' ? { run: given } : given
    const hasTransaction = declaration.method !== 'get' && run !== undefined
    if (!ownTransactions) throw new Error(`${declaration.method} ${declaration.path} does nothing`)
    return { declaration, things: things as unknown as AnyThings, allow, hasTransaction, run: ownTransactions }
  })

type Declarations = Record<string, Declaration>

/** Operations with their runs, for the adapters. */
export type Operations = {
  declaration: Declaration
  things: AnyThings
  allow?: AnyRun | undefined
  /** In one transaction. */
  hasTransaction: boolean
  run: AnyRun
}[]
type AnyRun = (input: Record<string, unknown>) => unknown
type AnyEntry = { allow?: AnyRun; run?: AnyRun; ownTransactions?: AnyRun }

/** `what`: its name in the 404 message. */
type Thing<Key> = { what: string; find: (db: Database, key: Key) => Promise<unknown> }
type AnyThings = Record<string, Thing<Record<string, unknown>>>

type NamesIn<Path extends string> = keyof PathParameters<Path> & string
type ThingsIn<Path extends string> = Exclude<NamesIn<Path>, 'programId' | 'workspaceId'>

type ThingsOf<Declared extends Declarations> = {
  [Name in ThingsIn<Declared[keyof Declared]['path']>]?: Thing<KeyOf<Declared[keyof Declared], Name>>
}

/** What a thing is found by: the parameters of the path, `id` for its own, the user and partner who call, and the time of the call. */
type KeyOf<Each extends Declaration, Name extends string> = Each extends { path: `${string}{${Name}}${string}` }
  ? PathParameters<Each['path']> & { id: Parameter<Name>; at: Date } & (IsOwnPartner<Each> extends true
        ? { partnerId: number }
        : unknown) &
      (Each extends { caller: NoUser } ? unknown : { userId: string })
  : never

/** The caller is a partner of the program in the path. What a portal path names must be found by their ID too, if it is theirs. */
type IsOwnPartner<Each extends Declaration> = Each extends { isOpenToApplicants: true }
  ? false
  : Each extends { caller: 'partner'; path: `${string}{programId}${string}` }
    ? true
    : false

/** Callers that are not signed in. */
type NoUser = 'key' | 'browser or key' | 'public'

type RunOf<Each extends Declaration, Things> =
  | Run<Each, Things>
  | { allow?: Allow<Each, Things>; run: Run<Each, Things> }
  | {
      allow?: Allow<Each, Things>
      ownTransactions: (input: Input<Each, Things> & { db: Database }) => Promise<Answer<Each>>
    }

type Run<Each extends Declaration, Things> = (
  input: Input<Each, Things> & (Each['method'] extends 'get' ? { db: Database } : { tx: Tx }),
) => Promise<Answer<Each>>

type Allow<Each extends Declaration, Things> = (
  input: { db: Database; params: PathParameters<Each['path']> } & Caller<Each> & Place<Each> & Found<Each, Things>,
) => void | Promise<void>

type Input<Each extends Declaration, Things> = Caller<Each> & Place<Each> & Given<Each> & Found<Each, Things>

/** `ip`: the caller's address. `signal`: aborts when the caller disconnects. */
type Caller<Each extends Declaration> = {
  clock: Clock
  audit: Audit
  ip: string | null
  signal: AbortSignal
} & (Each extends { caller: infer Kind }
  ? { actor: Kind extends keyof Actors ? Actors[Kind] : Member }
  : { actor: Member })
type Actors = { public: Visitor; key: Key; partner: SignedInPartner; session: Member; 'browser or key': Key | Visitor }

type Place<Each extends Declaration> = (Each extends { caller: 'key' } | { path: `${string}{programId}${string}` }
  ? { program: Program }
  : unknown) &
  (IsOwnPartner<Each> extends true ? { partner: Partner } : unknown)

type Given<Each extends Declaration> = { params: PathParameters<Each['path']> } & (Each extends {
  query: infer Query extends z.ZodType
}
  ? { query: z.output<Query> }
  : unknown) &
  (Each extends { request: infer Body extends z.ZodType } ? { body: z.output<Body> } : unknown) &
  (Each extends { upload: object } ? { file: Buffer } : unknown) &
  (Each extends { stream: 'only' }
    ? { stream: Stream }
    : Each extends { stream: true }
      ? { stream: Stream | null }
      : unknown)

/** The caller requested a stream. `mayContinue`: they still have access. `errorBody`: the body of an error event, after the stream has begun. */
export type Stream = {
  lastEventId: string | undefined
  mayContinue: () => Promise<boolean>
  errorBody: (error: unknown) => object
}

type Found<Each extends Declaration, Things> = {
  [Name in keyof Things & ThingsIn<Each['path']> as Name extends `${infer Short}Id`
    ? Short
    : Name]: Things[Name] extends {
    find: (...input: never[]) => Promise<infer Row>
  }
    ? NonNullable<Row>
    : never
}

type Answer<Each extends Declaration> =
  | JsonAnswer<Each>
  | Repeated<JsonAnswer<Each>>
  | (Each extends { file: true } | { stream: true | 'only' } ? FileAnswer : never)

type JsonAnswer<Each extends Declaration> = Each extends { list: infer Row extends z.ZodType }
  ? Each extends { query: infer Query extends z.ZodType }
    ? List<Sendable<z.output<Row>>, z.output<Query>>
    : readonly Sendable<z.output<Row>>[]
  : Each extends { answer: infer Data extends z.ZodType }
    ? Sendable<z.output<Data>>
    : Each extends { response: infer Body extends z.ZodType }
      ? Sendable<z.output<Body>>
      : never

/** A page with the number of rows on all of them, or every row of a short list. */
type List<Row, Query> = Query extends PageQuery ? { rows: readonly Row[]; total: number } : readonly Row[]

/** Refuses a run that returns a field that its declaration lacks: a function accepts those otherwise, and the caller would get them. */
type NothingMore<Declared extends Declarations, Each> = {
  [Name in keyof Each]: Name extends keyof Declared
    ? Refused<Extra<Returned<Each[Name]>, Answer<Declared[Name]>>>
    : unknown
}
type Refused<Fields> = [Fields] extends [never] ? unknown : { 'The declaration lacks fields that this returns': Fields }

type Returned<Entry> = Entry extends (...input: never[]) => Promise<infer Result>
  ? Result
  : Entry extends { run: infer Does } | { ownTransactions: infer Does }
    ? Does extends (...input: never[]) => Promise<infer Result>
      ? Result
      : never
    : never

/** Names of the fields of `Given` that no form of `Allowed` has, at any depth. */
type Extra<Given, Allowed> = unknown extends Allowed
  ? never
  : [Allowed] extends [never]
    ? never
    : Given extends Whole
      ? never
      : Given extends readonly (infer Item)[]
        ? Extra<Item, ItemOf<Allowed>>
        : string extends keyof Given
          ? never
          : {
              [Name in keyof Given & string]: Name extends FieldOf<Allowed>
                ? Extra<Given[Name], ValueOf<Allowed, Name>>
                : Name
            }[keyof Given & string]
type Whole =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | Uint8Array
  | ReadableStream
  | ((...input: never[]) => unknown)
type ItemOf<Each> = Each extends readonly (infer Item)[] ? Item : never
type FieldOf<Each> = Each extends Whole | readonly unknown[] ? never : Each extends unknown ? keyof Each : never
type ValueOf<Each, Name> = Each extends Whole | readonly unknown[]
  ? never
  : Name extends keyof Each
    ? Each[Name]
    : never
