import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { freePort, probePort } from '../../src/local/ports.ts';

describe('free ports', () => {
  it('an outgoing connection does not take a free port before its server binds it', () => {
    const program = [process.execPath, 'test/local/programs/crowded-ports.ts'];
    // With 32 ports in all, so that connections are refused when the free one is the last. A system that gives no such
    // network to a test has too many ports for them all to be used: there, 300 connections avoid it.
    const network = ['unshare', '--map-root-user', '--net', 'sh', '-c'];
    const few = 'ip link set lo up && echo 40000 40031 >/proc/sys/net/ipv4/ip_local_port_range && exec "$@"';
    const inside = [...network, few, 'sh'];
    const isolated = run([...inside, 'true']).status === 0;
    const { stdout, stderr } = run([...(isolated ? inside : []), ...program]);
    assert.notEqual(stdout, '', stderr);
    const seen = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([seen['taken'], seen['bind']], [false, 'free'], stdout);
    if (isolated) assert.equal(seen['end'], 'EADDRNOTAVAIL', stdout);
  });

  it('free ports differ, and a server can listen on each', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    assert.equal(new Set(ports).size, 20);
    for (const port of ports) assert.equal(await probePort(port), 'free');
  });

  it('names the cause when a port cannot be bound', async () => {
    const server = createServer().listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    assert.equal(await probePort(port), 'EADDRINUSE');
    await assert.rejects(freePort('192.0.2.1'), /no free port left \(EADDRNOTAVAIL\)/);
    server.close();
  });
});

function run([command = '', ...args]: string[]) {
  return spawnSync(command, args, { encoding: 'utf8' });
}
