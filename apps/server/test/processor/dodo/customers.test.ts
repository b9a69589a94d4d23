import { randomBytes } from 'node:crypto'
import { startTestService } from '../../support/service.ts'
import { bindsCustomers } from '../standard-webhooks/customers.ts'

bindsCustomers(await startTestService(), {
  processor: 'dodo',
  newSecret: () => `whsec_${randomBytes(24).toString('base64')}`,
  clearMetadata: ({ data }) => {
    data.metadata = {}
  },
})
