import { CalendarDays, CodeXml, Coins, House, type LucideIcon, UsersRound } from 'lucide-react';

/** The places of the app, in the order they stand in: where they lead, and the letter after `g`. */
export const places = [
  { to: '/', label: 'Home', icon: House, letter: 'h' },
  { to: '/posts', label: 'Posts', icon: CalendarDays, letter: 'p' },
  { to: '/accounts', label: 'Accounts', icon: UsersRound, letter: 'a' },
  { to: '/credits', label: 'Credits', icon: Coins, letter: 'c' },
  { to: '/developer', label: 'Developer', icon: CodeXml, letter: 'd' },
] as const satisfies { to: string; label: string; icon: LucideIcon; letter: string }[];
