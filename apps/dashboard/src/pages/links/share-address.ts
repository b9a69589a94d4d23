import { addressWith, destinationOf } from '@tributary/contract/origins'

export const UTM_NAMES = ['source', 'medium', 'campaign', 'content', 'term'] as const
export type UtmName = (typeof UTM_NAMES)[number]
export type ShareOptions = { page?: string } & { [name in UtmName]?: string }
type Link = { aff: string; destinationUrl: string | null; websites: string[] }

/** A link as people see it: the address a visitor opens. Without a website, any page of it will do. */
export const shownAddress = (link: Link) => shareAddress(link) ?? `Any page of the site with ?aff=${link.aff}`

/** The URL a partner shares: the page with `aff` and optional UTM parameters. Null without a page. */
export const shareAddress = ({ aff, destinationUrl, websites }: Link, options: ShareOptions = {}) => {
  const page = options.page?.trim() || destinationOf(destinationUrl, websites)
  if (!page) return null
  const utm = UTM_NAMES.map((name) => [`utm_${name}`, options[name]?.trim()] as const)
  return addressWith(page, { aff, parameters: utm.flatMap(([name, value]) => (value ? [[name, value]] : [])) })
}
