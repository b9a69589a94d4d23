import { getRequest } from './requests.ts'
import type { Traffic } from './traffic.ts'

export type PagePlan = { kind: 'pages'; path: string; cookie: string }

/** A signed-in user loads the same page repeatedly. */
export const pageTraffic = ({ path, cookie }: PagePlan): Traffic => {
  const request = { bytes: Buffer.from(getRequest(path, { cookie })), name: '' }
  return { acknowledged: [], next: () => request, acknowledge: () => {} }
}
