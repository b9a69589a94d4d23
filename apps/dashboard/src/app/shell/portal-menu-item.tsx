import { useNavigate } from '@tanstack/react-router'
import { HandCoins } from 'lucide-react'
import { usePortalPrograms } from '~/api/portal.ts'
import { MenuItem } from '~/components/overlays/menu.tsx'

/** For merchants who are also partners. */
export const PortalMenuItem = () => {
  const { data: partnerships = [] } = usePortalPrograms()
  const navigate = useNavigate()
  if (partnerships.length === 0) return null
  return (
    <MenuItem onSelect={() => void navigate({ to: '/portal' })}>
      <HandCoins aria-hidden /> Partner portal
    </MenuItem>
  )
}
