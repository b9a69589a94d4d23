import { describe, expect, test } from 'bun:test'
import * as contract from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'
import type { Lead, Refund, Sale, WebhookEvent, WebhookEventData } from '@tributary/sdk'
import type { z } from 'zod'
import manifest from '../package.json'
import { VERSION } from '../src/version.ts'
import * as wire from '../src/wire.ts'

/**
 * The SDK has no dependencies, so it has its own copy of the contract's types. The compiler checks everything up to the first test:
 * `npm run check` fails if the contract differs.
 */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = { [Name in keyof T]: T[Name] }
const holds = <_Claim extends true>() => {}

// The SDK reads exactly what the service returns.
holds<Same<Flat<z.infer<typeof contract.leadAnswer>>, wire.LeadAnswer>>()
holds<Same<Flat<z.infer<typeof contract.saleAnswer>>, wire.SaleAnswer>>()
holds<Same<Flat<z.infer<typeof contract.refundAnswer>>, wire.RefundAnswer>>()
holds<Same<Flat<z.infer<typeof contract.testAnswer>>, wire.TestAnswer>>()
holds<z.infer<typeof contract.errorAnswer> extends wire.ErrorBody ? true : false>()
holds<wire.RefusalCode extends contract.ErrorCode ? true : false>()

// The service accepts everything the SDK sends.
holds<wire.LeadBody extends z.input<typeof contract.leadRequest> ? true : false>()
holds<wire.SaleBody extends z.input<typeof contract.saleRequest> ? true : false>()
holds<wire.RefundBody extends z.input<typeof contract.refundRequest> ? true : false>()

// The SDK can send every field except the program, which the key determines, and the test mode of sales and refunds.
type Fields<Schema extends z.ZodObject> = keyof Schema['shape']
holds<Same<keyof wire.LeadBody, Exclude<Fields<typeof contract.leadRequest>, 'program_id'>>>()
holds<Same<keyof wire.SaleBody, Exclude<Fields<typeof contract.saleRequest>, 'program_id' | 'additional_data'>>>()
holds<Same<keyof wire.RefundBody, Exclude<Fields<typeof contract.refundRequest>, 'program_id' | 'additional_data'>>>()

// The SDK's names are the API's names in camelCase, except `customerExternalId`.
type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name
type SdkName<Name> = Name extends 'customer_key' ? 'customerExternalId' : Camel<Name>
holds<Same<keyof Lead, SdkName<keyof wire.LeadBody>>>()
holds<Same<keyof Sale, SdkName<keyof wire.SaleBody>>>()
holds<Same<keyof Refund, SdkName<keyof wire.RefundBody>>>()

// Events have the same types and the same data.
type Published = contract.PublishedEventData
type Sent = { [Type in keyof WebhookEventData]: Flat<WebhookEventData[Type]> }
holds<Same<keyof Published, keyof Sent>>()
holds<Published extends Sent ? true : false>()
holds<Sent extends Published ? true : false>()
holds<Same<keyof WebhookEvent, keyof contract.PublishedEvent>>()

describe("the SDK's copy of the contract", () => {
  test('has the same names and limits', () => {
    expect<string>(wire.CLICK_COOKIE).toBe(contract.CLICK_COOKIE)
    expect(wire.METADATA_KEYS).toEqual(contract.PROCESSOR_METADATA)
    expect<number>(wire.MAX_IDENTIFIER_LENGTH).toBe(contract.MAX_IDENTIFIER_LENGTH)
    expect<number>(wire.MAX_AMOUNT).toBe(contract.MAX_AMOUNT)
    expect<number>(wire.MAX_METADATA_BYTES).toBe(contract.MAX_METADATA_BYTES)
  })

  test('has the same paths and all their error codes', () => {
    for (const path of Object.values(wire.PATHS)) {
      const operation = OPERATIONS.find((each) => each.path === path && each.method === 'post')
      expect(operation).toBeDefined()
      const codes = [...(operation?.refusals ?? []), ...(operation?.refusalsAs400 ?? [])]
      expect(codes.filter((code) => !(wire.REFUSAL_CODES as readonly string[]).includes(code))).toEqual([])
    }
  })

  test('uses an alias for the customer that the API accepts', () => {
    expect(contract.FIELD_ALIASES.find(([name]) => name === 'customer_key')).toContain('customerExternalId')
  })

  test('has the version of its package', () => expect(VERSION).toBe(manifest.version))
})
