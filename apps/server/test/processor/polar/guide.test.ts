import { followsItsGuide } from '../standard-webhooks/guide.ts'

await followsItsGuide('polar', (sent) => ({
  names: ['polar', 'products'],
  values: [{ checkouts: { create: async (checkout: unknown) => sent.push(checkout) } }, ['prod_1']],
  metadata: { program_id: 7, service_customer_key: 'user_42', service_click_id: 'click_1' },
}))
