import { readFile } from 'node:fs/promises'
import { type CityResponse, Reader } from 'maxmind'
import { StartupError } from '../config/startup-error.ts'

export type Location = { country: string | null; region: string | null; city: string | null }
export type LocationLookup = (ip: string | null) => Location

const UNKNOWN: Location = { country: null, region: null, city: null }
/** The combined file, because the IPv4-only one returns wrong results for IPv6. */
const BUNDLED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/** The bundled database has only `country_code`; larger ones use MaxMind's format. */
type Entry = CityResponse & { country_code?: string }

const toLocation = (entry: Entry | null): Location =>
  entry
    ? {
        country: entry.country_code ?? entry.country?.iso_code ?? null,
        region: entry.subdivisions?.[0]?.names.en ?? null,
        city: entry.city?.names.en ?? null,
      }
    : UNKNOWN

/** Looks up locations in a file that is read once. */
export const openLocations = async (geoipDatabase: string | null): Promise<LocationLookup> => {
  const file = geoipDatabase ?? Bun.fileURLToPath(import.meta.resolve(BUNDLED))
  const reader = await openReader(file)
  return (ip) => (ip ? toLocation(reader.get(ip)) : UNKNOWN)
}

const openReader = async (file: string) => {
  try {
    return new Reader<Entry>(await readFile(file))
  } catch (error) {
    throw new StartupError(`GEOIP_DATABASE is not a valid mmdb file: ${file} (${(error as Error).message}).`)
  }
}
