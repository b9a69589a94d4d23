import { followsItsGuide } from '../standard-webhooks/guide.ts'

await followsItsGuide('dodo', (sent) => ({
  names: ['client', 'product_cart'],
  values: [{ checkoutSessions: { create: async (session: unknown) => sent.push(session) } }, []],
  metadata: { program_id: '7', service_customer_key: 'user_42', service_click_id: 'click_1' },
}))
