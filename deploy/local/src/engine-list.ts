/** A server program that Perch runs but does not contain, and every way to get it. Plain data. */
export interface Engine {
  name: string;
  version: string;
  /** The setting that names the folder in which its programs are. */
  setting: string;
  /** Its programs: our name for each, and how it is called on PATH and in a release. */
  programs: Record<string, string>;
  /** The official release for a platform; null where there is none. */
  release(platform: Platform): { url: string; file: string; checksumsUrl: string } | null;
  /** Go packages that build the programs, in the order of `programs`. */
  go: string[];
  /** How long the build takes, for the progress line. */
  buildTakes: string;
}

export interface Platform {
  os: 'linux' | 'darwin' | 'win32' | string;
  arch: 'x64' | 'arm64' | string;
}

/** The message bus between the services. */
export const natsEngine: Engine = {
  name: 'nats-server',
  version: '2.15.2',
  setting: 'PERCH_NATS_DIR',
  programs: { server: 'nats-server' },
  release(platform) {
    const target = goTarget(platform);
    const base = `https://github.com/nats-io/nats-server/releases/download/v${this.version}`;
    const file = `nats-server-v${this.version}-${target.os}-${target.arch}.tar.gz`;
    return { url: `${base}/${file}`, file, checksumsUrl: `${base}/SHA256SUMS` };
  },
  go: ['github.com/nats-io/nats-server/v2@v2.15.2'],
  buildTakes: 'about a minute',
};

/** The workflow engine, on PostgreSQL. */
export const temporalEngine: Engine = {
  name: 'temporal-server',
  version: '1.32.0',
  setting: 'PERCH_TEMPORAL_DIR',
  programs: { server: 'temporal-server', sql: 'temporal-sql-tool' },
  release(platform) {
    const target = goTarget(platform);
    if (target.os === 'windows') return null;
    const base = `https://github.com/temporalio/temporal/releases/download/v${this.version}`;
    const file = `temporal_${this.version}_${target.os}_${target.arch}.tar.gz`;
    return { url: `${base}/${file}`, file, checksumsUrl: `${base}/checksums.txt` };
  },
  go: ['go.temporal.io/server/cmd/server@v1.32.0', 'go.temporal.io/server/cmd/tools/sql@v1.32.0'],
  buildTakes: 'about five minutes',
};

/** A real S3 gateway over a folder; only tests use it. */
export const s3Engine: Engine = {
  name: 'versitygw',
  version: '1.8.0',
  setting: 'PERCH_VERSITYGW_DIR',
  programs: { server: 'versitygw' },
  release({ os, arch }) {
    if (os === 'win32') return null;
    const base = `https://github.com/versity/versitygw/releases/download/v${this.version}`;
    const system = os === 'darwin' ? 'Darwin' : 'Linux';
    const file = `versitygw_v${this.version}_${system}_${arch === 'x64' ? 'x86_64' : arch}.tar.gz`;
    return { url: `${base}/${file}`, file, checksumsUrl: `${base}/checksums.txt` };
  },
  go: ['github.com/versity/versitygw/cmd/versitygw@v1.8.0'],
  buildTakes: 'about two minutes',
};

/** Stripe's own mock of its API: it holds requests to Stripe's OpenAPI document, and keeps no state. For tests only. */
export const stripeMockEngine: Engine = {
  name: 'stripe-mock',
  version: '0.203.0',
  setting: 'PERCH_STRIPE_MOCK_DIR',
  programs: { server: 'stripe-mock' },
  release(platform) {
    const target = goTarget(platform);
    if (target.os === 'windows') return null;
    const base = `https://github.com/stripe/stripe-mock/releases/download/v${this.version}`;
    const file = `stripe-mock_${this.version}_${target.os}_${target.arch}.tar.gz`;
    return {
      url: `${base}/${file}`,
      file,
      checksumsUrl: `${base}/stripe-mock_${this.version}_checksums.txt`,
    };
  },
  go: ['github.com/stripe/stripe-mock@v0.203.0'],
  buildTakes: 'about a minute',
};

/** Renders and checks the Helm chart; only tests use it. */
export const helmEngine: Engine = {
  name: 'helm',
  version: '3.22.0',
  setting: 'PERCH_HELM_DIR',
  programs: { helm: 'helm' },
  release(platform) {
    const target = goTarget(platform);
    if (target.os === 'windows') return null;
    const file = `helm-v${this.version}-${target.os}-${target.arch}.tar.gz`;
    const url = `https://get.helm.sh/${file}`;
    return { url, file, checksumsUrl: `${url}.sha256sum` };
  },
  go: ['helm.sh/helm/v3/cmd/helm@v3.22.0'],
  buildTakes: 'about two minutes',
};

function goTarget({ os, arch }: Platform): { os: string; arch: string } {
  return { os: os === 'win32' ? 'windows' : os, arch: arch === 'x64' ? 'amd64' : arch };
}
