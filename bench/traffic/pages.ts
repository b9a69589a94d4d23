import { getRequest } from './requests.ts'
import type { Traffic } from './traffic.ts'

export type PagePlan = { kind: 'pages'; path: string; cookie: string }

/** Somebody who is signed in looks at the same page again and again. */
export const pageTraffic = ({ path, cookie }: PagePlan): Traffic => {
  const request = { bytes: Buffer.from(getRequest(path, { cookie })), name: '' }
  return { acknowledged: [], next: () => request, acknowledge: () => {} }
}
