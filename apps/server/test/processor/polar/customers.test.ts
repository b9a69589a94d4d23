import { randomBytes } from 'node:crypto'
import { startTestService } from '../../support/service.ts'
import { bindsCustomers } from '../standard-webhooks/customers.ts'

bindsCustomers(await startTestService(), {
  processor: 'polar',
  newSecret: () => `whsec_${randomBytes(16).toString('hex')}`,
  clearMetadata: ({ data }) => {
    data.metadata = {}
    if (data.subscription) data.subscription.metadata = {}
  },
})
