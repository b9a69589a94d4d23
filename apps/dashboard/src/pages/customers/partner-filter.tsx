import { PartnerPicker } from '../partners/partner-picker.tsx'

type Props = { value: string | undefined; onChange: (partnerId: string | undefined) => void }

export const PartnerFilter = ({ value, onChange }: Props) => (
  <PartnerPicker className="w-full sm:w-44" none="All partners" withArchived value={value} onChange={onChange} />
)
