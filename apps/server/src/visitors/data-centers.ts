import { readFile } from 'node:fs/promises'
import { Reader } from 'maxmind'
import { StartupError } from '../config/startup-error.ts'

export type DataCenterLookup = (ip: string | null) => boolean

/** A database of networks (`autonomous_system_number`), or one that says it of an address (`is_hosting_provider`). */
type Entry = { autonomous_system_number?: number; is_hosting_provider?: boolean }

/**
 * Networks of companies that rent out servers. Left out are those that also carry people's traffic, such as the relays of Apple's
 * Private Relay (Akamai, Cloudflare, Fastly).
 */
const HOSTING_NETWORKS = new Set([
  ...[14618, 16509, 8987], // Amazon
  ...[396982, 19527], // Google Cloud
  8075, // Microsoft
  31898, // Oracle
  36351, // IBM
  ...[37963, 45102], // Alibaba
  ...[45090, 132203], // Tencent
  ...[136907, 55990], // Huawei
  14061, // DigitalOcean
  20473, // Vultr
  63949, // Linode
  ...[24940, 213230], // Hetzner
  16276, // OVH
  12876, // Scaleway
  ...[51167, 40021, 141995], // Contabo
  ...[28753, 30633, 60781, 59253, 396362], // Leaseweb
  ...[8560, 51862], // IONOS
  47583, // Hostinger
  ...[197540, 203020], // netcup, HostRoyale
  9009, // M247
  ...[60068, 212238], // Datacamp
  46844, // Sharktech
  53667, // FranTech
  62567, // DigitalOcean
  ...[19994, 33070], // Rackspace
  22612, // Namecheap
  ...[26347, 35916], // DreamHost, Multacom
  ...[36352, 55286], // ColoCrossing, ServerMania
  ...[202422, 199524], // G-Core
])

const NEVER: DataCenterLookup = () => false

/** Without a database no address is looked up: there is no list with a suitable license to bundle. */
export const openDataCenters = async (asnDatabase: string | null): Promise<DataCenterLookup> => {
  if (asnDatabase === null) return NEVER
  const reader = await openReader(asnDatabase)
  return (ip) => ip !== null && isHosting(reader.get(ip))
}

const isHosting = (entry: Entry | null) =>
  entry?.is_hosting_provider === true || HOSTING_NETWORKS.has(entry?.autonomous_system_number ?? 0)

const openReader = async (file: string) => {
  try {
    return new Reader<Entry & Record<string, never>>(await readFile(file))
  } catch (error) {
    throw new StartupError(`ASN_DATABASE is not a valid mmdb file: ${file} (${(error as Error).message}).`)
  }
}
