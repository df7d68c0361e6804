/** Services that read an HTTP request as their own protocol, or that are never an API on the public internet. */
const named: readonly (readonly [port: number, service: string])[] = [
  [0, "reserved"],
  [22, "SSH"],
  [23, "Telnet"],
  [25, "SMTP"],
  [53, "DNS"],
  [110, "POP3"],
  [111, "RPC portmapper"],
  [143, "IMAP"],
  [389, "LDAP"],
  [445, "SMB"],
  [465, "SMTP over TLS"],
  [587, "SMTP submission"],
  [636, "LDAP over TLS"],
  [873, "rsync"],
  [993, "IMAP over TLS"],
  [995, "POP3 over TLS"],
  [1433, "SQL Server"],
  [1521, "Oracle database"],
  [2049, "NFS"],
  [2375, "Docker daemon"],
  [2376, "Docker daemon over TLS"],
  [2379, "etcd"],
  [2380, "etcd peers"],
  [3306, "MySQL"],
  [3389, "Remote Desktop"],
  [4369, "Erlang port mapper"],
  [5432, "PostgreSQL"],
  [5672, "AMQP"],
  [5900, "VNC"],
  [6379, "Redis"],
  [9042, "Cassandra"],
  [9092, "Kafka"],
  [10250, "kubelet"],
  [11211, "memcached"],
  [27017, "MongoDB"],
];

/** The "bad ports" of the Fetch Standard (https://fetch.spec.whatwg.org/#port-blocking) that are not named above. */
const badPorts: readonly number[] = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 37, 42, 43, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 113, 115, 117, 119, 123,
  135, 137, 139, 161, 179, 427, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 601, 989, 990, 1719,
  1720, 1723, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

const services = new Map<number, string>([...badPorts.map((port) => [port, "not an HTTP service"] as const), ...named]);

/** The service of a port that outgoing requests may not use; `undefined` for an allowed port. */
export function refusedPort(port: number): string | undefined {
  return services.get(port);
}
