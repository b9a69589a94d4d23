import { expect, test } from 'bun:test'
import { readProcessorName, webhookPathOf, webhookSecretOf } from '../demo-processor.ts'

test('the processor is Stripe unless --processor names another', () => {
  expect(readProcessorName([])).toBe('stripe')
  expect(readProcessorName(['--processor', 'paddle'])).toBe('paddle')
  expect(readProcessorName(['--processor=lemonsqueezy'])).toBe('lemonsqueezy')
  expect(() => readProcessorName(['--processor', 'pay'])).toThrow(
    '--processor must be one of stripe, paddle, lemonsqueezy, polar, dodo.',
  )
})

test('each processor has its own endpoint, and a secret in its own spelling', () => {
  const saved = 'whsec_0123456789abcdef0123456789abcdef'
  expect(webhookPathOf('stripe', 7)).toBe('/api/v1/processor/webhook/7')
  expect(webhookPathOf('polar', 7)).toBe('/api/v1/processor/polar/webhook/7')
  expect(webhookSecretOf('stripe', saved)).toBe(saved)
  expect(webhookSecretOf('paddle', saved)).toMatch(/^pdl_ntfset_01[\da-f]{24}_[\da-f]{32}$/)
  expect(webhookSecretOf('lemonsqueezy', saved)).toMatch(/^[\da-f]{32}$/)
  expect(webhookSecretOf('polar', saved)).toMatch(/^polar_whs_[\da-f]{32}$/)
  expect(webhookSecretOf('dodo', saved)).toBe('whsec_ASNFZ4mrze8BI0VniavN7w==')
})
