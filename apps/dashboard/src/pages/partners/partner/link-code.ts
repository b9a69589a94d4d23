import type { PartnerDetail } from '@tributary/contract'
import { toast } from '~/components/overlays/toast.tsx'

export const notALink = (code: string) =>
  `The code “${code}” doesn’t work as a link because another link or partner uses it. Change the code, or create a link for this partner.`

/** Says so right after the code was chosen. */
export const warnIfTaken = ({ code, codeAsAff }: Pick<PartnerDetail, 'code' | 'codeAsAff'>) => {
  if (codeAsAff === 'taken') toast.failed(notALink(code))
}
