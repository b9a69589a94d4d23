import { AFF_PARAMETER } from '@tributary/contract/names'

export type ShareOptions = { page?: string; source?: string; medium?: string; campaign?: string }

/** The address that a partner shares: the page with `aff`, and UTM parameters where wanted. Null while there is no page. */
export const shareAddress = (aff: string, destinationUrl: string | null, options: ShareOptions = {}) => {
  const page = options.page?.trim() || destinationUrl
  const url = page ? URL.parse(page) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  url.searchParams.set(AFF_PARAMETER, aff)
  for (const name of ['source', 'medium', 'campaign'] as const)
    if (options[name]) url.searchParams.set(`utm_${name}`, options[name])
  return url.href
}
