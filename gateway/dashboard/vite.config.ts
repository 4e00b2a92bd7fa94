import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './budget.ts';

/** Where `npm run dev` of this room finds a running Perch. */
const perch = 'http://localhost:3000';

export default defineConfig({
  base: '/app/',
  plugins: [react(), budget({ firstLoadKb: 250, styleKb: 30 })],
  build: {
    target: 'baseline-widely-available',
    // The CSP allows data: only for images; everything else is a file with a hash.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/app/api': perch, '/app/media': perch, '/app/mails': perch } },
});
