import { type QueryKey, type UseQueryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PathParameters } from '@tributary/contract/declarations'
import type { Declared } from '@tributary/contract/declared'
import type { z } from 'zod'
import { api, fetchFile, fileAddress, type List, type Query, streamEvents, uploadFile } from './client.ts'

type Name = keyof Declared
type Read = Extract<Name, `get ${string}`>
type Change = Exclude<Name, Read>

/** What an operation needs: the parameters of its path, its query and its body. */
export type Input<Of extends Name> = PathParameters<Declared[Of]['path']> & QueryOf<Declared[Of]> & BodyOf<Declared[Of]>
type QueryOf<Each> = Each extends { query: infer Schema extends z.ZodType }
  ? { query?: { [Field in keyof z.input<Schema>]?: Query[string] } }
  : unknown
type BodyOf<Each> = Each extends { request: infer Schema extends z.ZodType } ? { body: z.input<Schema> } : unknown

/** A list with its pagination, or the data of an answer. */
export type Result<Of extends Name> = ResultOf<Declared[Of]>
type ResultOf<Each> = Each extends { list: infer Row extends z.ZodType }
  ? List<z.output<Row>>
  : Each extends { answer: infer Data extends z.ZodType }
    ? z.output<Data>
    : Each extends { response: infer Body extends z.ZodType }
      ? WithMeta<z.output<Body>>
      : never
/** A list that says more about itself than which page it is. */
type WithMeta<Body> = Body extends { meta: object } ? Body : never

type Sent = { query?: Query; body?: unknown } & Record<string, unknown>
/** Checked by `Input`, whose parts depend on the operation. */
const asSent = (input: unknown) => input as Sent

/** Calls an operation, typed by its declaration: `call('post /api/programs/{programId}/groups', { programId, body })`. */
export const call = async <Of extends Name>(name: Of, input: Input<Of>): Promise<Result<Of>> => {
  const sent = asSent(input)
  const [method, path] = routeOf(name, sent)
  type Answer = { data: Result<Of>; meta?: object }
  const answer = method === 'get' ? await api.get<Answer>(path, sent.query) : await api[method]<Answer>(path, sent.body)
  return 'meta' in answer ? (answer as unknown as Result<Of>) : answer.data
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

const routeOf = (name: string, sent: Sent): [Method, string] => {
  const [method = '', path = ''] = name.split(' ')
  return [method as Method, path.replace(/\{(\w+)\}/g, (_, parameter) => encodeURIComponent(String(sent[parameter])))]
}

/** The address of a file that an operation answers with, for a link. */
export const addressOf = <Of extends Read>(name: Of, input: Input<Of>) => {
  const sent = asSent(input)
  return fileAddress(routeOf(name, sent)[1], sent.query)
}

/** A file that an operation makes, such as an export. */
export const fileOf = <Of extends Change>(name: Of, input: Input<Of>) => {
  const sent = asSent(input)
  return fetchFile(routeOf(name, sent)[1], sent.body)
}

/** The events of an operation that can stream its answer. */
export const eventsOf = <Of extends Change>(name: Of, input: Input<Of>, signal: AbortSignal) => {
  const sent = asSent(input)
  return streamEvents(routeOf(name, sent)[1], sent.body, signal)
}

const upload = async <Of extends Change>(name: Of, input: Input<Of>, file: Blob) => {
  const sent = asSent(input)
  const [method, path] = routeOf(name, sent)
  const address = fileAddress(path, sent.query)
  return (await uploadFile<{ data: Result<Of> }>(method === 'put' ? 'PUT' : 'POST', address, file)).data
}

/** Sends a file to an operation, and reads again what is on the screen. */
export const useUpload = <Of extends Change>(name: Of, inputFor: (file: File) => Input<Of>) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (file: File) => upload(name, inputFor(file), file),
    onSuccess: () => queries.invalidateQueries(),
  })
}

/** A change to one of these affects the others. */
const MONEY = ['commissions', 'balances', 'holds', 'payouts', 'adjustments']

/**
 * What is shown together changes together: the resource in the path, then its program or workspace. Changes and live events
 * invalidate by these two (live.ts).
 */
export const keyOf = <Of extends Read>(name: Of, input: Input<Of>): QueryKey => {
  const { programId, workspaceId, ...rest } = asSent(input)
  const parts = name.split('/').slice(2)
  const names = parts.filter((part) => !part.startsWith('{'))
  const [first = '', second] = names[0] === 'programs' ? names.slice(1) : names
  const place = [programId ?? workspaceId].filter((id) => id !== undefined)
  if (MONEY.includes(first)) return ['money', ...place, first, ...(second ? [second] : []), name, rest]
  if (first === 'portal') return ['portal', ...place, names.at(-1), name, rest]
  return [first, ...place, ...(second ? [second] : []), name, rest]
}

type ReadOptions<Of extends Read> = Omit<UseQueryOptions<Result<Of>>, 'queryKey' | 'queryFn'>

/** Reads with an operation and keeps what it answered. */
export const useCall = <Of extends Read>(name: Of, input: Input<Of>, options: ReadOptions<Of> = {}) =>
  useQuery<Result<Of>>({ ...options, queryKey: keyOf(name, input), queryFn: () => call(name, input) })

type ChangeOptions<Of extends Change> = {
  /** Runs before anything is read again. */
  onSuccess?: (result: Result<Of>) => void
  onError?: (error: Error) => void
  gcTime?: number
  /** Resources to read again, of the same program if there is one. Everything on the screen unless it says otherwise. */
  changes?: readonly string[]
}
type Feedback<Of extends Change> = { onSuccess?: (result: Result<Of>) => void; onError?: (error: Error) => void }

/**
 * Changes something with an operation. `known` is the part of the input that the screen has; `mutate` gets the rest. Its `onSuccess`
 * runs once everything is read again, even if that removed the row that made the change from the screen.
 */
export const useChange = <Of extends Change, Known extends Partial<PathParameters<Declared[Of]['path']> & object>>(
  name: Of,
  known: Known,
  { changes, onSuccess, ...options }: ChangeOptions<Of> = {},
) => {
  type Rest = Omit<Input<Of>, keyof Known>
  const queries = useQueryClient()
  const { programId }: { programId?: unknown } = known
  const readAgain = () => {
    if (!changes) return queries.invalidateQueries()
    const keys = changes.map((resource) => (programId === undefined ? [resource] : [resource, programId]))
    return Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  const { mutate, mutateAsync, variables, ...mutation } = useMutation<
    Result<Of>,
    Error,
    { input: Rest; feedback?: Feedback<Of>['onSuccess'] }
  >({
    ...options,
    mutationFn: ({ input }) => call(name, { ...known, ...input } as unknown as Input<Of>),
    onSuccess: async (result, { feedback }) => {
      onSuccess?.(result)
      await readAgain()
      feedback?.(result)
    },
  })
  return {
    ...mutation,
    variables: variables?.input,
    mutate: (input: Rest, { onSuccess: feedback, onError }: Feedback<Of> = {}) =>
      mutate({ input, feedback }, onError && { onError }),
    mutateAsync: (input: Rest) => mutateAsync({ input }),
  }
}
