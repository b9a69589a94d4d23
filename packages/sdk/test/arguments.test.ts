import { describe, expect, test } from 'bun:test'
import { Tributary, TributaryArgumentError } from '@tributary/sdk'

const OPTIONS = { apiKey: 'trk_public_secret', baseUrl: 'https://track.example' }
const nothingIsSent = () => {
  throw new Error('something was sent')
}
const tributary = new Tributary({ ...OPTIONS, fetch: nothingIsSent as unknown as typeof fetch })

/** The error that a call throws synchronously. */
const thrownBy = (call: () => unknown): TributaryArgumentError => {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(TributaryArgumentError)
    expect(error).toBeInstanceOf(TypeError)
    return error as TributaryArgumentError
  }
  throw new Error('it was accepted')
}

type Case = [wrong: unknown, field: string | null, says: string]
const LEAD = { customerExternalId: 'user_42', clickId: '1_click' }
const SALE = { customerExternalId: 'user_42', amount: 4900, invoiceId: 'inv_1' }

const CASES: Record<'trackLead' | 'trackSale' | 'trackRefund', Case[]> = {
  trackLead: [
    [undefined, null, 'trackLead takes one object with named fields, not undefined'],
    ['user_42', null, 'not a string'],
    [{}, 'customerExternalId', 'customerExternalId is missing. Pass your stable ID of the customer'],
    [{ ...LEAD, customerExternalId: '' }, 'customerExternalId', 'must not be empty'],
    [{ ...LEAD, customerExternalId: 42 }, 'customerExternalId', 'Pass String(id)'],
    [{ ...LEAD, customerExternalId: 'x'.repeat(256) }, 'customerExternalId', 'at most 255 characters'],
    [{ ...LEAD, customerExternalId: 'a\0b' }, 'customerExternalId', 'NUL'],
    [{ ...LEAD, customerExternalId: '\ud800' }, 'customerExternalId', 'unpaired surrogates'],
    [{ ...LEAD, clickId: {} }, 'clickId', 'must be a string, not an object'],
    [{ ...LEAD, clickID: '1' }, 'clickID', 'trackLead has no field clickID. It takes: customerExternalId, clickId'],
    [{ ...LEAD, email: ['a@b.c'] }, 'email', 'must be a string, not an array'],
    [{ ...LEAD, additionalData: true }, 'additionalData', 'must be an object, not true'],
    [{ ...LEAD, additionalData: { testMode: true } }, 'testMode', 'It takes: test_mode, program_id'],
    [{ ...LEAD, additionalData: { test_mode: 'true' } }, 'additionalData', 'must be true or false'],
    [{ ...LEAD, additionalData: { program_id: 'acme' } }, 'additionalData.program_id', 'program settings'],
  ],
  trackSale: [
    [null, null, 'not null'],
    [{ ...SALE, customerExternalId: undefined }, 'customerExternalId', 'the ID you sent with the lead'],
    [{ ...SALE, amount: undefined }, 'amount', 'is missing. Pass an integer in minor units'],
    [{ ...SALE, amount: 49.9 }, 'amount', 'an integer in minor units (for example 2900 for $29.00)'],
    [{ ...SALE, amount: '4900' }, 'amount', 'must be a number, not a string'],
    [{ ...SALE, amount: 4900n }, 'amount', 'not a bigint'],
    [{ ...SALE, amount: Number.NaN }, 'amount', 'an integer'],
    [{ ...SALE, amount: 0 }, 'amount', 'greater than 0'],
    [{ ...SALE, amount: -1 }, 'amount', 'use trackRefund'],
    [{ ...SALE, amount: 10 ** 12 + 1 }, 'amount', 'at most 10^12'],
    [{ ...SALE, tax: -1 }, 'tax', 'from 0 to amount'],
    [{ ...SALE, tax: 4901 }, 'tax', 'from 0 to amount'],
    [{ ...SALE, tax: 1.5 }, 'tax', 'an integer'],
    [{ ...SALE, tax: '463' }, 'tax', 'an integer'],
    [{ ...SALE, invoiceId: undefined }, 'invoiceId', 'prevents duplicate sales'],
    [{ ...SALE, curency: 'EUR' }, 'curency', 'trackSale has no field curency'],
    [{ ...SALE, currency: 'Euro' }, 'currency', 'such as EUR'],
    [{ ...SALE, metadata: 'x' }, 'metadata', 'must be an object'],
    [{ ...SALE, metadata: { total: 1n } }, 'metadata', 'cannot be serialized as JSON'],
    [{ ...SALE, metadata: { note: 'ä'.repeat(4_096) } }, 'metadata', 'at most 8192 bytes'],
    [{ ...SALE, additionalData: { test_mode: true } }, 'additionalData', 'trackSale has no test mode'],
    [{ ...SALE, additional_data: { test_mode: true } }, 'additional_data', 'call POST /api/v1/track/sale directly'],
  ],
  trackRefund: [
    [{}, 'invoiceId', 'the invoice ID of the sale'],
    [{ invoiceId: 'inv_1', amount: 0 }, 'amount', 'greater than 0'],
    [{ invoiceId: 'inv_1', amount: 9.99 }, 'amount', 'an integer in minor units'],
    [{ invoiceId: 'inv_1', refundId: 7 }, 'refundId', 'Pass String(id)'],
    [{ invoiceId: 'inv_1', note: 'x' }, 'note', 'trackRefund has no field note'],
  ],
}

for (const [method, cases] of Object.entries(CASES) as [keyof typeof CASES, Case[]][])
  describe(`${method} throws synchronously and says what to pass`, () => {
    for (const [index, [wrong, field, says]] of cases.entries())
      test(`${index + 1}: ${says}`, () => {
        const error = thrownBy(() => tributary[method](wrong as never))
        expect(error.message).toContain(says)
        expect(error).toMatchObject({ name: 'TributaryArgumentError', code: 'invalid_argument', field })
      })
  })

describe('new Tributary throws and says what to pass', () => {
  const WRONG: [object, string, string][] = [
    [{ apiKey: undefined }, 'apiKey', 'check that its environment variable is set'],
    [{ apiKey: 'sk_live_1' }, 'apiKey', 'start with trk_'],
    [{ apiKey: 'trk_public_secret\n' }, 'apiKey', 'no spaces or line breaks'],
    [{ baseUrl: undefined }, 'baseUrl', 'such as https://track.example.com'],
    [{ baseUrl: 'track.example.com' }, 'baseUrl', 'not a plain http(s) address'],
    [{ baseUrl: 'ftp://track.example.com' }, 'baseUrl', 'not a plain http(s) address'],
    [{ baseUrl: 'https://track.example.com/?a=1' }, 'baseUrl', 'not a plain http(s) address'],
    [{ baseUrl: 'https://track.example.com/api/v1/' }, 'baseUrl', 'added automatically'],
    [{ timeoutMs: 0 }, 'timeoutMs', 'milliseconds greater than 0'],
    [{ budgetMs: '30s' }, 'budgetMs', 'milliseconds greater than 0'],
    [{ programId: 'acme' }, 'programId', 'program settings'],
    [{ timeout: 1 }, 'timeout', 'new Tributary has no field timeout'],
  ]
  for (const [wrong, field, says] of WRONG)
    test(`${field}: ${says}`, () => {
      const error = thrownBy(() => new Tributary({ ...OPTIONS, ...wrong } as typeof OPTIONS))
      expect(error.message).toContain(says)
      expect(error.field).toBe(field)
      expect(error.message).not.toContain('secret')
    })
})

test('call options are checked before anything is sent', () => {
  expect(thrownBy(() => tributary.trackLead(LEAD, { timeoutMS: 5 } as never)).field).toBe('timeoutMS')
  expect(thrownBy(() => tributary.trackLead(LEAD, { budgetMs: -1 })).field).toBe('budgetMs')
  for (const signal of [{}, 'stop', 5, new AbortController(), { aborted: false }]) {
    const error = thrownBy(() => tributary.trackLead(LEAD, { signal } as never))
    expect(error.message).toContain('signal must be an AbortSignal')
    expect(error.field).toBe('signal')
  }
})

test('baseUrl may end with a slash or have a path', async () => {
  const urls: string[] = []
  const fetch = (async (url: string) => {
    urls.push(url)
    return Response.json({ success: true })
  }) as unknown as typeof globalThis.fetch
  for (const baseUrl of ['https://a.example', 'https://a.example/', 'https://a.example/tributary/'])
    await new Tributary({ ...OPTIONS, baseUrl, fetch }).trackLead(LEAD)
  expect(urls).toEqual([
    'https://a.example/api/v1/track/lead',
    'https://a.example/api/v1/track/lead',
    'https://a.example/tributary/api/v1/track/lead',
  ])
})
