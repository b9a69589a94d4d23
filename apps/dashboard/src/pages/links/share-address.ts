import { AFF_PARAMETER } from '@tributary/contract/names'
import { destinationOf } from '@tributary/contract/origins'

export type ShareOptions = { page?: string; source?: string; medium?: string; campaign?: string }
type Link = { aff: string; destinationUrl: string | null; websites: string[] }

/** The URL a partner shares: the page with `aff` and optional UTM parameters. Null without a page. */
export const shareAddress = ({ aff, destinationUrl, websites }: Link, options: ShareOptions = {}) => {
  const page = options.page?.trim() || destinationOf(destinationUrl, websites)
  const url = page ? URL.parse(page) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  url.searchParams.set(AFF_PARAMETER, aff)
  for (const name of ['source', 'medium', 'campaign'] as const)
    if (options[name]) url.searchParams.set(`utm_${name}`, options[name])
  return url.href
}
