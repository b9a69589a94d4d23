import type { PersonalData } from './personal-data/redact.ts'
import type { ProcessorSettings } from './settings.ts'
import type { AccountFlags, IncomingEvent, Translate } from './translation.ts'

/** A webhook call. The signature covers the exact bytes. */
export type Delivery = { raw: Buffer; headers: Headers; at: Date }

/**
 * Everything that Tributary knows about a payment processor: one folder each, and one line in processors.ts. Nothing outside the
 * folder depends on which processors there are.
 */
export type Processor = {
  /** In routes, in the database and on the wire. Never changes. */
  name: string
  /** As people know it. */
  label: string
  /** The event types to subscribe an endpoint to. Others are stored and ignored. */
  eventTypes: string[]
  setUp: SetUpGuide
  /** Checks the headers before the body is read, so that calls without a current signature cost nothing. */
  isPlausible(headers: Headers, at: Date): boolean
  /** Whether this secret signed exactly these bytes recently. Compares in constant time. */
  isSignedWith(secret: string, delivery: Delivery): boolean | Promise<boolean>
  /** The event's ID, for processors that send it in a header. */
  eventIdIn?(headers: Headers): string | null
  /**
   * Reads the envelope of a JSON object; null if the fields that every event has are missing. `eventId` is the one from the
   * header. Stored events are read again, so the result depends on nothing else.
   */
  read(text: string, receivedAt: Date, eventId: string | null): IncomingEvent | null
  /**
   * Translates an event into our terms. Pure: the same event always gives the same result. References are in the processor's own
   * spelling; translate-event.ts adds the namespace.
   */
  translate: Translate
  /** The address that an event states for the payer, and the customer by the processor's ID. Both are unknown values of the event. */
  payer?(event: IncomingEvent): { email: unknown; customerId?: unknown }
  /**
   * IDs that no one else uses: they have a prefix of this processor or are UUIDs. A merchant who sends one of them as `invoice_id`
   * means this payment. All other references, such as numbers, are kept in the processor's namespace.
   */
  ownIds: RegExp
  personalData: PersonalData
  /** For processors whose API lists events: recovers those that never arrived. */
  listEvents?(settings: ProcessorSettings, account: ListedAccount, since: Date): AsyncIterable<ListedEvent[]>
  /** For processors whose API manages webhook endpoints, with a key of the merchant. A refusal says what is wrong. */
  endpoints?(settings: ProcessorSettings): Endpoints
  /** For processors that let an operator's account read events of merchants who authorize it. */
  platform?(settings: ProcessorSettings): Platform
}

/** How a merchant connects an account, as the dashboard shows it. */
export type SetUpGuide = {
  /** Where the endpoint is added, such as "your Acme dashboard". */
  place: string
  /** What to do there, in order. Each step is a sentence; `code` stands in backticks. */
  steps: string[]
  secret: { label: string; placeholder: string; pattern: RegExp }
  /** Its events do not say whether they are tests, so the merchant says it of the endpoint. */
  hasSandbox?: true
  /** A key of the merchant for `listEvents`, and the permissions that it needs. */
  apiKey?: { label: string; placeholder: string; pattern: RegExp; permissions: string[] }
  /** The account's ID, if the processor shows one to merchants. */
  account?: { label: string; placeholder: string; pattern: RegExp }
  /** Where the merchant's checkout adds the metadata: a sentence, and code with the program's ID. */
  metadata: string
  example(programId: number): string
}

/** `apiKey`: the one that the merchant saved. */
export type ListedAccount = {
  programId: number
  kind: string
  accountId: string | null
  apiKey: string | null
  /** The endpoint is of the sandbox. */
  isTest: boolean
}
export type ListedEvent = { id: string; text: string }

type EndpointSettings = { url: string; eventTypes: string[] }

/** Calls of an API that are made once each, and fail as those of `call-api.ts` do. */
export type Endpoints = {
  /** Stores `attempt` with the endpoint, by which it is found if the answer is lost. */
  create(
    apiKey: string,
    endpoint: EndpointSettings & { attempt: string },
  ): Promise<{ id: string; secret: string; eventTypes: string[] }>
  update(apiKey: string, endpoint: EndpointSettings & { id: string }): Promise<{ eventTypes: string[] }>
  remove(apiKey: string, id: string): Promise<void>
  /** Those with an `attempt`. */
  listCreated(apiKey: string): Promise<{ id: string; url: string; attempt: string }[]>
}

export type ConnectedAccount = { accountId: string; livemode: boolean; flags: AccountFlags | null }

/** An operator's account at the processor that merchants authorize. */
export type Platform = {
  /** False if the operator has not configured it: then `authorizeAddress` refuses with the missing settings. */
  isConfigured: boolean
  webhookSecret: string | null
  authorizeAddress(params: { state: string; redirectUri: string }): string
  connectedAccount(code: string): Promise<ConnectedAccount>
  deauthorize(accountId: string): Promise<void>
}
