"""Who can reach a cluster: processes here only this machine, and one behind TLS only those with certificates."""

import shutil
import subprocess

import pytest

from laconic.linear import ElasticNetClassifier
from laconic.partitions import fit_partitions, partition_matrices
from tests.partitions.conftest import same, split


@pytest.fixture(scope="module")
def security(tmp_path_factory):
    """Credentials from a certificate that signs itself."""
    from distributed.security import Security

    if shutil.which("openssl") is None:
        pytest.skip("openssl is not there to make certificates")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = str(folder / "cert.pem"), str(folder / "key.pem")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=laconic"
    subprocess.run([*command.split(), "-keyout", key, "-out", cert], check=True, capture_output=True)
    roles = {
        f"tls_{role}_{what}": path
        for role in ("client", "scheduler", "worker")
        for what, path in (("cert", cert), ("key", key))
    }
    return Security(tls_ca_file=cert, require_encryption=True, **roles)


def test_a_fit_behind_tls(tmp_path, planted, security):
    from distributed import Client, LocalCluster

    X, y = planted
    estimator = ElasticNetClassifier(l1=2.0, l2=0.0, tol=1e-9)
    options = {"n_workers": 1, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(protocol="tls", security=security, **options) as local:
        assert local.scheduler_address.startswith("tls://127.0.0.1")
        with Client(local.scheduler_address, security=security) as client:
            same(fit_partitions(estimator, partition_matrices(split(X, y, 2), tmp_path, client)), estimator.fit(X, y))
        with pytest.raises((TypeError, OSError, ValueError, RuntimeError)):
            Client(local.scheduler_address, timeout=5).close()


def test_nothing_outside_of_the_machine_can_reach_the_processes_of_workers(cluster):
    import psutil

    here = psutil.Process()
    listening = [
        one.laddr.ip
        for process in (here, *here.children(recursive=True))
        for one in process.net_connections(kind="tcp")
        if one.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert set(listening) == {"127.0.0.1"}


def test_a_client_without_the_certificate_of_the_run_is_refused(cluster, security):
    from distributed import Client

    address = cluster.scheduler.address
    assert address.startswith("tls://127.0.0.1:")
    plain = address.replace("tls://", "tcp://")
    with pytest.raises((OSError, TimeoutError)):
        Client(plain, timeout=5).close()
    with pytest.raises((OSError, TimeoutError)):
        Client(address, timeout=5, security=security).close()
    assert cluster.submit(sum, [1, 2]).result() == 3


def test_workers_are_reached_by_tls_only(cluster):
    workers = cluster.scheduler_info()["workers"]
    assert len(workers) == 2
    assert all(address.startswith("tls://127.0.0.1:") for address in workers)
