import type { Clock } from '../clock.ts'
import type { DataCenterLookup } from './data-centers.ts'
import type { LocationLookup } from './locations.ts'
import { readUserAgent } from './user-agents.ts'
import type { VisitorHash } from './visitor-hash.ts'

/** What the service derives from a visitor's IP address and user agent. The IP address is not passed on. */
export type Visitor = {
  country: string | null
  region: string | null
  city: string | null
  device: string | null
  browser: string | null
  operatingSystem: string | null
  visitorHash: string | null
  isDataCenter: boolean
}

export type Visitors = (input: { ip: string | null; userAgent: string | null }) => Visitor

export const createVisitors =
  ({
    locations,
    isDataCenter,
    visitorHash,
    clock,
  }: {
    locations: LocationLookup
    isDataCenter: DataCenterLookup
    visitorHash: VisitorHash
    clock: Clock
  }): Visitors =>
  ({ ip, userAgent }) => {
    const { country, region, city } = locations(ip)
    const { device, browser, operatingSystem } = readUserAgent(userAgent)
    return {
      country,
      region,
      city,
      device,
      browser,
      operatingSystem,
      visitorHash: ip ? visitorHash(ip, clock()) : null,
      isDataCenter: isDataCenter(ip),
    }
  }
