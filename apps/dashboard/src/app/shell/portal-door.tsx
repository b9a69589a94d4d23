import { useNavigate } from '@tanstack/react-router'
import { HandCoins } from 'lucide-react'
import { usePortalPrograms } from '~/api/portal.ts'
import { MenuItem } from '~/components/overlays/menu.tsx'

/** For the merchant who is somebody's partner as well. */
export const PortalDoor = () => {
  const { data: partnerships = [] } = usePortalPrograms()
  const navigate = useNavigate()
  if (partnerships.length === 0) return null
  return (
    <MenuItem onSelect={() => void navigate({ to: '/portal' })}>
      <HandCoins aria-hidden /> Partner portal
    </MenuItem>
  )
}
